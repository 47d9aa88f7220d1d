import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../../platform/secrets/api-keys';
import { type AccountRecord, FirstLoginService } from '../users';
import { SignInRefused } from './auth.errors';

/** What somebody gets who signed in. */
export interface SignedIn {
  readonly apiKey: string;
  /** The real address. */
  readonly email: string;
  readonly userId: number;
}

/** Lets in whoever has shown to be somebody. */
@Injectable()
export class SignInService {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly firstLogin: FirstLoginService,
  ) {}

  /** @throws SignInRefused */
  async signIn(account: AccountRecord): Promise<SignedIn> {
    if (!account.isActive) throw new SignInRefused();
    await this.firstLogin.recordIfFirst(account.id);
    return {
      apiKey: this.apiKeys.apiKeyFor(account.keyNonce),
      email: account.deliveryEmail,
      userId: account.id,
    };
  }
}
