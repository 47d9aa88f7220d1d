import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import type { RequestOrigin } from '../../../platform/http/decorators';
import {
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  FirstLoginService,
  PasswordService,
} from '../../users';
import { LoginFailed } from './login.errors';
import { loginAnswer, type LoginAnswer } from './login.wire';
import { SessionTokens } from '../sessions/session-tokens.service';

/** Signs people in to the companion interface. */
@Injectable()
export class LoginService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly changes: AccountChanges,
    private readonly firstLogin: FirstLoginService,
    private readonly passwords: PasswordService,
    private readonly tokens: SessionTokens,
  ) {}

  /** @throws LoginThrottled, LoginFailed, AccountDeactivated, UnknownRole */
  async login(email: string, password: string, origin: RequestOrigin): Promise<LoginAnswer> {
    const recognized = await this.passwords.recognize({ email, password, address: origin.address });
    if (!recognized) throw new LoginFailed();
    const { account, passwordHash } = recognized;
    const token = await this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, account.id);
      if (row.passwordHash !== passwordHash) throw new LoginFailed();
      return this.tokens.issue(tx, row, origin);
    });
    await this.firstLogin.recordIfFirst(account.id);
    return loginAnswer(this.current(account.id), token);
  }

  /**
   * Gives the actor another password. All their sessions end; a new one goes on from here.
   * @throws LoginThrottled, WrongPassword, NewPasswordTooWeak
   */
  async changePassword(
    actor: Actor,
    oldPassword: string,
    newPassword: string,
    origin: RequestOrigin,
  ): Promise<LoginAnswer> {
    const checked = await this.passwords.checkChange(actor.userId, oldPassword, newPassword);
    const token = await this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, actor.userId);
      this.passwords.replace(row, checked);
      await this.changes.save(tx, row);
      return this.tokens.issue(tx, row, origin);
    });
    return loginAnswer(this.current(actor.userId), token);
  }

  /** The account as it is now. */
  current(userId: number): AccountRecord {
    return this.accounts.existing(userId);
  }
}
