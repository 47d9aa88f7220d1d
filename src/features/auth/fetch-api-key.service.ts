import { Injectable } from '@nestjs/common';
import { AuthenticationFailed } from './auth.errors';
import { type PasswordLogin, PasswordService } from '../users';
import { SignInService, type SignedIn } from './sign-in.service';

/** Hands out API keys for a password (messages reference 9.2). */
@Injectable()
export class FetchApiKeyService {
  constructor(
    private readonly logins: PasswordService,
    private readonly signIns: SignInService,
  ) {}

  /** @throws AuthenticationFailed, SignInRefused, LoginThrottled */
  async fetch(login: PasswordLogin): Promise<SignedIn> {
    const recognized = await this.logins.recognize(login);
    if (!recognized) throw new AuthenticationFailed();
    return this.signIns.signIn(recognized.account);
  }
}
