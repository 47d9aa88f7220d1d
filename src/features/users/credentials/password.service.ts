import { Injectable } from '@nestjs/common';
import type { Actor, Caller } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { LoginThrottle } from '../../../platform/secrets/login-throttle';
import { isStrongPassword, Passwords } from '../../../platform/secrets/passwords';
import { AuditLog } from '../../audit';
import { AccountDirectory, type AccountRecord } from '../accounts/account.directory';
import { Account } from '../accounts/account.entity';
import { NewPasswordTooWeak, WrongPassword } from './password.errors';

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
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly passwords: Passwords,
    private readonly throttle: LoginThrottle,
    private readonly audit: AuditLog,
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
    const isRight = await this.throttle.verify(
      { address: caller.address, email },
      async () => {
        passwordHash = account ? await this.passwordHash(account.id) : null;
        return this.passwords.verifyAny(passwordHash, password);
      },
      () => this.recordLockOut(caller, account?.id),
    );
    return account && isRight && passwordHash ? { account, passwordHash } : null;
  }

  /**
   * Checks a change of one's own password. Verifies and hashes before the transaction, because both are slow on
   * purpose.
   * @throws LoginThrottled, WrongPassword, NewPasswordTooWeak
   */
  async checkChange(actor: Actor, oldPassword: string, newPassword: string): Promise<CheckedPassword> {
    const { userId } = actor;
    const passwordHash = await this.passwordHash(userId);
    const isRight = await this.throttle.verify(
      { userId },
      () => this.passwords.verifyAny(passwordHash, oldPassword),
      () => this.recordLockOut(actor, userId),
    );
    if (!passwordHash || !isRight) throw new WrongPassword();
    if (!isStrongPassword(newPassword)) throw new NewPasswordTooWeak();
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

  /** Whoever tries addresses that nobody has is not written down each time: it would cost them nothing. */
  private async recordLockOut(caller: Caller, userId: number | undefined): Promise<void> {
    if (userId === undefined) return;
    await this.transactions.run((tx) => this.audit.record(tx, caller, 'user.locked_out', { userId }));
  }

  private async passwordHash(userId: number): Promise<string | null> {
    const row = await this.database.read
      .repository(Account)
      .findOne({ where: { id: userId }, select: { id: true, passwordHash: true } });
    return row?.passwordHash ?? null;
  }
}
