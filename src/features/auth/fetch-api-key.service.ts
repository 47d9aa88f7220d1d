import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.service';
import { PasswordAttempts } from '../../platform/secrets/password-attempts';
import { Passwords } from '../../platform/secrets/passwords';
import { AccountDirectory, emailKey, type AccountRecord } from '../users/account.directory';
import { AuthenticationFailed } from './auth.errors';
import { SignInService, type SignedIn } from './sign-in.service';

/** Hands out API keys for a password (messages reference 9.2). */
@Injectable()
export class FetchApiKeyService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountDirectory,
    private readonly passwords: Passwords,
    private readonly attempts: PasswordAttempts,
    private readonly signIns: SignInService,
  ) {}

  /**
   * An unknown address takes as long as a wrong password, and counts as an attempt as well.
   * @throws AuthenticationFailed, UserDeactivated, RateLimitHit
   */
  async fetch(userName: string, password: string): Promise<SignedIn> {
    const key = emailKey(userName);
    this.attempts.begin(key);
    const account = this.accounts.byDeliveryEmail(userName);
    const hash = account ? await this.passwordHash(account) : null;
    const isRight = hash
      ? await this.passwords.verify(hash, password)
      : await this.passwords.verifyAgainstNothing(password);
    if (!account || !isRight) throw new AuthenticationFailed();
    this.attempts.succeeded(key);
    return this.signIns.signIn(account);
  }

  private async passwordHash({ id }: AccountRecord): Promise<string | null> {
    const [row] = await this.database.read.query<{ password_hash: string | null }>(
      'SELECT password_hash FROM account WHERE id = ?',
      [id],
    );
    return row?.password_hash ?? null;
  }
}
