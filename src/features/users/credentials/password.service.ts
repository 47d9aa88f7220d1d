import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ReadRepository } from '../../../platform/database/read-source';
import type { Actor, Caller } from '../../../platform/actor';
import { Hooks } from '../../../platform/hooks/hooks';
import { type LoginAttempt, LoginThrottle } from '../../../platform/secrets/login-throttle';
import { Passwords } from '../../../platform/secrets/passwords';
import { LoginThrottled } from '../../../platform/secrets/secrets.errors';
import type { AuditAuthor } from '../../audit/audit.module';
import { AccountDirectory, type AccountRecord } from '../accounts/account.directory';
import { Account } from '../accounts/account.entity';
import { passwordDirectoryPort } from '../users.hooks';
import { NewPasswords } from './new-passwords.service';
import { NewPasswordTooWeak, PasswordInDirectory, WrongPassword } from './credentials.api';
import { SignInFailures } from './sign-in-failures.service';

/** Credentials for signing in, and the client that sent them. */
export interface PasswordLogin {
  /** Address of the account, or user name in the LDAP directory. */
  readonly email: string;
  readonly password: string;
  readonly caller: Caller;
  /** Token of a remembered browser; replaces the code of a second factor. */
  readonly device?: string;
}

/** A person who gave the correct password. */
export interface Recognized {
  /** Possibly deactivated. */
  readonly account: AccountRecord;
  /**
   * The hash of the account's own password at that time; a different hash later means that the password was changed.
   */
  readonly passwordHash: string | null;
  /** Where the password was checked. */
  readonly method: 'Email' | 'LDAP';
}

/** A password change after its slow part. */
export interface CheckedPassword {
  readonly oldHash: string;
  readonly newHash: string;
}

/**
 * Authenticates people by password, for the API and the console, and changes the password of people who know the old
 * one.
 */
@Injectable()
export class PasswordService {
  constructor(
    @InjectRepository(Account) private readonly rows: ReadRepository<Account>,
    private readonly accounts: AccountDirectory,
    private readonly passwords: Passwords,
    private readonly choices: NewPasswords,
    private readonly throttle: LoginThrottle,
    private readonly failures: SignInFailures,
    private readonly hooks: Hooks,
  ) {}

  /**
   * An unknown address costs one verification, like a known one, and counts as a failure, too. Failures in the API and
   * the console are counted together. The directory is asked only if no account here has the password, so that people
   * who are not in it can sign in while it is unavailable.
   * @returns null if address and password do not match
   * @throws LoginThrottled, DirectoryUnreachable
   */
  async recognize({ email, password, caller }: PasswordLogin): Promise<Recognized | null> {
    const account = this.accounts.byDeliveryEmail(email);
    const found: { recognized: Recognized | null } = { recognized: null };
    await this.verify(caller, account?.id, { address: caller.address, email }, async () => {
      found.recognized =
        (await this.byHash(account, password)) ?? (await this.byDirectory(email, password, caller));
      return found.recognized !== null;
    });
    return found.recognized;
  }

  private async byHash(account: AccountRecord | undefined, password: string): Promise<Recognized | null> {
    const isKept = account !== undefined && (await this.isPasswordInDirectory(account.id));
    const passwordHash = account && !isKept ? await this.hashOf(account.id) : null;
    const isRight = await this.passwords.verifyAny(passwordHash, password);
    return account && isRight && passwordHash ? { account, passwordHash, method: 'Email' } : null;
  }

  private async byDirectory(name: string, password: string, caller: Caller): Promise<Recognized | null> {
    const userId =
      (await this.hooks.provider(passwordDirectoryPort)?.recognize(name, password, caller)) ?? null;
    if (userId === null) return null;
    const account = this.accounts.existing(userId);
    return { account, passwordHash: await this.hashOf(userId), method: 'LDAP' };
  }

  /** Whether an LDAP directory checks a person's password, instead of one that is stored here. */
  async isPasswordInDirectory(userId: number): Promise<boolean> {
    return (await this.hooks.provider(passwordDirectoryPort)?.keeps(userId)) ?? false;
  }

  /** Whether a person has a password, stored here or in an LDAP directory. */
  async isSet(userId: number): Promise<boolean> {
    return (await this.hashOf(userId)) !== null || this.isPasswordInDirectory(userId);
  }

  /**
   * Checks the password of a signed-in user.
   * @throws LoginThrottled, DirectoryUnreachable
   */
  async confirm(actor: Actor, password: string): Promise<boolean> {
    const { userId } = actor;
    return this.verify(actor, userId, { userId }, async () => {
      const directory = this.hooks.provider(passwordDirectoryPort);
      if (directory && (await directory.keeps(userId))) return directory.confirm(userId, password);
      return this.passwords.verifyAny(await this.hashOf(userId), password);
    });
  }

  /**
   * Validates a change of the actor's own password. Verifies and hashes before the transaction, because both are slow
   * on purpose.
   * @throws LoginThrottled, WrongPassword, NewPasswordTooWeak, PasswordInDirectory
   */
  async checkChange(actor: Actor, oldPassword: string, newPassword: string): Promise<CheckedPassword> {
    if (await this.isPasswordInDirectory(actor.userId)) throw new PasswordInDirectory();
    const passwordHash = await this.hashOf(actor.userId);
    if (!(await this.confirm(actor, oldPassword)) || !passwordHash) throw new WrongPassword();
    if (!this.choices.accepts(newPassword, this.accounts.existing(actor.userId)))
      throw new NewPasswordTooWeak();
    return { oldHash: passwordHash, newHash: await this.passwords.hash(newPassword) };
  }

  /**
   * Replaces the password. Of two concurrent changes, the second fails because the password it verified is no longer
   * current.
   * @throws WrongPassword
   */
  replace(row: Account, { oldHash, newHash }: CheckedPassword): void {
    if (row.passwordHash !== oldHash) throw new WrongPassword();
    row.passwordHash = newHash;
  }

  /** Verifies a password under the rate limit, and records failures. @throws LoginThrottled */
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

  /** The hash of a person's password; null if they have none. Must never leave the server. */
  async hashOf(userId: number): Promise<string | null> {
    const row = await this.rows.findOne({
      where: { id: userId },
      select: { id: true, passwordHash: true },
    });
    return row?.passwordHash ?? null;
  }
}
