import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import { LoginThrottle } from '../../../platform/secrets/login-throttle';
import { Passwords } from '../../../platform/secrets/passwords';
import { AccountDirectory, type AccountRecord } from '../accounts/account.directory';

/** What somebody types to sign in, and from where. */
export interface PasswordLogin {
  readonly email: string;
  readonly password: string;
  /** Address of the client. */
  readonly address: string;
}

/** Somebody whose password was right. */
export interface Recognized {
  /** May be deactivated. */
  readonly account: AccountRecord;
  /** What the password was held against; another one since then means that it was changed. */
  readonly passwordHash: string;
}

/** Recognizes people by their password, for both interfaces; failures count for both together. */
@Injectable()
export class PasswordLoginService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountDirectory,
    private readonly passwords: Passwords,
    private readonly throttle: LoginThrottle,
  ) {}

  /**
   * An unknown address costs one verification, as a known one does, and counts as a failure as well.
   * @returns null when address and password do not belong together
   * @throws LoginThrottled
   */
  async recognize({ email, password, address }: PasswordLogin): Promise<Recognized | null> {
    const account = this.accounts.byDeliveryEmail(email);
    let passwordHash = null as string | null;
    const isRight = await this.throttle.verify({ address, email }, async () => {
      passwordHash = account ? await this.passwordHash(account) : null;
      return this.passwords.verifyAny(passwordHash, password);
    });
    return account && isRight && passwordHash ? { account, passwordHash } : null;
  }

  private async passwordHash({ id }: AccountRecord): Promise<string | null> {
    const [row] = await this.database.read.query<{ password_hash: string | null }>(
      'SELECT password_hash FROM account WHERE id = ?',
      [id],
    );
    return row?.password_hash ?? null;
  }
}
