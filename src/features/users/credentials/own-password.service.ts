import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import { LoginThrottle } from '../../../platform/secrets/login-throttle';
import { isStrongPassword } from '../../../platform/secrets/password-strength';
import { Passwords } from '../../../platform/secrets/passwords';
import { Account } from '../accounts/account.entity';
import { NewPasswordTooWeak, WrongPassword } from '../settings/own-settings.errors';

/** A password change whose slow part is done. */
export interface CheckedPassword {
  readonly oldHash: string;
  readonly newHash: string;
}

/** Replaces people's passwords: whoever wants a new one has to know the old one. */
@Injectable()
export class OwnPasswordService {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly throttle: LoginThrottle,
  ) {}

  /**
   * Verifies and hashes before the transaction, as both are slow on purpose.
   * @throws LoginThrottled, WrongPassword, NewPasswordTooWeak
   */
  async check(userId: number, oldPassword: string, newPassword: string): Promise<CheckedPassword> {
    const { emailKey, passwordHash } = await this.database.read
      .repository(Account)
      .findOneByOrFail({ id: userId });
    const isRight = await this.throttle.verify({ address: null, email: emailKey }, () =>
      this.passwords.verifyAny(passwordHash, oldPassword),
    );
    if (!passwordHash || !isRight) throw new WrongPassword();
    if (!isStrongPassword(newPassword)) throw new NewPasswordTooWeak();
    return { oldHash: passwordHash, newHash: await this.passwords.hash(newPassword) };
  }

  /**
   * Of two changes at the same instant, the second finds that the password it verified is no longer it.
   * @throws WrongPassword
   */
  replace(row: Account, { oldHash, newHash }: CheckedPassword): void {
    if (row.passwordHash !== oldHash) throw new WrongPassword();
    row.passwordHash = newHash;
  }
}
