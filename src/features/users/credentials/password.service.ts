import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ReadRepository } from '../../../platform/database/read-source';
import type { Actor, Caller } from '../../../platform/actor';
import { type LoginAttempt, LoginThrottle } from '../../../platform/secrets/login-throttle';
import { Passwords } from '../../../platform/secrets/passwords';
import { LoginThrottled } from '../../../platform/secrets/secrets.errors';
import type { AuditAuthor } from '../../audit/audit.module';
import { AccountDirectory, type AccountRecord } from '../accounts/account.directory';
import { Account } from '../accounts/account.entity';
import { NewPasswordTooWeak, WrongPassword } from './credentials.api';
import { SignInFailures } from './sign-in-failures.service';

/** What a person types to sign in, and from where. */
export interface PasswordLogin {
  readonly email: string;
  readonly password: string;
  readonly caller: Caller;
}

/** A person who gave the right password. */
export interface Recognized {
  /** May be deactivated. */
  readonly account: AccountRecord;
  /** The hash that the password was checked against; if it differs later, the password was changed. */
  readonly passwordHash: string;
}

/** A password change whose slow part is done. */
export interface CheckedPassword {
  readonly oldHash: string;
  readonly newHash: string;
}

/**
 * Recognizes people by their passwords, for both interfaces, and changes the password of people who know the old one.
 */
@Injectable()
export class PasswordService {
  constructor(
    @InjectRepository(Account) private readonly rows: ReadRepository<Account>,
    private readonly accounts: AccountDirectory,
    private readonly passwords: Passwords,
    private readonly throttle: LoginThrottle,
    private readonly failures: SignInFailures,
  ) {}

  /**
   * An unknown address costs one verification, as a known one does, and counts as a failure too. Failures on both
   * interfaces are counted together.
   * @returns null when address and password do not match
   * @throws LoginThrottled
   */
  async recognize({ email, password, caller }: PasswordLogin): Promise<Recognized | null> {
    const account = this.accounts.byDeliveryEmail(email);
    let passwordHash = null as string | null;
    const isRight = await this.verify(caller, account?.id, { address: caller.address, email }, async () => {
      passwordHash = account ? await this.hashOf(account.id) : null;
      return this.passwords.verifyAny(passwordHash, password);
    });
    return account && isRight && passwordHash ? { account, passwordHash } : null;
  }

  /**
   * Checks the password of a signed-in user.
   * @returns its hash; null where it is wrong
   * @throws LoginThrottled
   */
  async confirm(actor: Actor, password: string): Promise<string | null> {
    const { userId } = actor;
    const passwordHash = await this.hashOf(userId);
    const isRight = await this.verify(actor, userId, { userId }, () =>
      this.passwords.verifyAny(passwordHash, password),
    );
    return isRight ? passwordHash : null;
  }

  /**
   * Checks a change of one's own password. Verifies and hashes before the transaction, because both are slow on
   * purpose.
   * @throws LoginThrottled, WrongPassword, NewPasswordTooWeak
   */
  async checkChange(actor: Actor, oldPassword: string, newPassword: string): Promise<CheckedPassword> {
    const passwordHash = await this.confirm(actor, oldPassword);
    if (!passwordHash) throw new WrongPassword();
    if (!this.passwords.accepts(newPassword)) throw new NewPasswordTooWeak();
    return { oldHash: passwordHash, newHash: await this.passwords.hash(newPassword) };
  }

  /**
   * Of two changes at the same moment, the second finds that the password it verified is no longer the current one.
   * @throws WrongPassword
   */
  replace(row: Account, { oldHash, newHash }: CheckedPassword): void {
    if (row.passwordHash !== oldHash) throw new WrongPassword();
    row.passwordHash = newHash;
  }

  /** Verifies under the throttle, and records what fails. @throws LoginThrottled */
  private async verify(
    by: AuditAuthor,
    userId: number | undefined,
    attempt: LoginAttempt,
    verify: () => Promise<boolean>,
  ): Promise<boolean> {
    try {
      const isRight = await this.throttle.verify(attempt, verify, () =>
        this.failures.recordLockOut(by, userId),
      );
      const reason = userId === undefined ? 'unknown_account' : 'wrong_password';
      if (!isRight) this.failures.record(by, reason, userId);
      return isRight;
    } catch (error) {
      if (error instanceof LoginThrottled) this.failures.record(by, 'too_many_attempts', userId);
      throw error;
    }
  }

  /** The hash of a person's password; null where they have none. Never let it out of the server. */
  async hashOf(userId: number): Promise<string | null> {
    const row = await this.rows.findOne({
      where: { id: userId },
      select: { id: true, passwordHash: true },
    });
    return row?.passwordHash ?? null;
  }
}
