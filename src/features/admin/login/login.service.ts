import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import type { RequestOrigin } from '../../../platform/http/decorators';
import { AuditLog } from '../../audit/audit.module';
import {
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  type CodeLogin,
  LoginSessionService,
  type PasswordLogin,
  PasswordService,
  SessionStart,
} from '../../users/users.module';
import { loginAnswer, type LoginAnswer } from './login.api';

/** Signs people in to the companion interface, and out. */
@Injectable()
export class LoginService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly changes: AccountChanges,
    private readonly passwords: PasswordService,
    private readonly sessions: LoginSessionService,
    private readonly starts: SessionStart,
    private readonly audit: AuditLog,
  ) {}

  /** @throws LoginThrottled, LoginFailed, PasswordLoginOff, MayNotSignIn, UnknownRole */
  async login(login: PasswordLogin, origin: RequestOrigin): Promise<LoginAnswer> {
    const session = await this.starts.byPassword(login, 'token', origin);
    return loginAnswer(this.current(session.userId), session);
  }

  /** @throws LoginThrottled, WrongCode, LoginFailed, PasswordLoginOff, MayNotSignIn, UnknownRole */
  async secondLogin(login: CodeLogin, origin: RequestOrigin): Promise<LoginAnswer> {
    const session = await this.starts.byCode(login, 'token', origin);
    return loginAnswer(this.current(session.userId), session);
  }

  /** Ends the actor's session. */
  async logout(actor: Actor, sessionId: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.sessions.end(tx, sessionId);
      this.audit.record(tx, actor, 'user.signed_out', { userId: actor.userId });
    });
  }

  /**
   * Changes the actor's password. All their sessions end, and a new one starts.
   * @throws LoginThrottled, WrongPassword, NewPasswordTooWeak
   */
  async changePassword(
    actor: Actor,
    sessionId: string,
    oldPassword: string,
    newPassword: string,
    origin: RequestOrigin,
  ): Promise<LoginAnswer> {
    const checked = await this.passwords.checkChange(actor, oldPassword, newPassword);
    const session = await this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, actor.userId);
      const hasFactor = await this.sessions.hasFactorIn(tx, sessionId);
      this.passwords.replace(row, checked);
      await this.changes.save(tx, row);
      this.audit.record(tx, actor, 'user.password_changed', { userId: row.id });
      return this.starts.begin(tx, row, 'token', origin, { hasFactor });
    });
    return loginAnswer(this.current(actor.userId), session);
  }

  /** The account's current state. */
  current(userId: number): AccountRecord {
    return this.accounts.existing(userId);
  }
}
