import { Injectable } from '@nestjs/common';
import { roleName, type Actor } from '../../../platform/actor';
import { Config } from '../../../platform/config/config';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import type { RequestOrigin } from '../../../platform/http/decorators';
import { AccessTokens } from '../../../platform/secrets/access-tokens';
import { AuditLog } from '../../audit';
import {
  type Account,
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  actorOf,
  FirstLoginService,
  LoginSessionService,
  type PasswordLogin,
  PasswordService,
} from '../../users';
import { LoginFailed, MayNotSignIn, UnknownRole } from './login.errors';
import { loginAnswer, type IssuedToken, type LoginAnswer } from './login.wire';

/** Signs people in to the companion interface. */
@Injectable()
export class LoginService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly changes: AccountChanges,
    private readonly firstLogin: FirstLoginService,
    private readonly passwords: PasswordService,
    private readonly sessions: LoginSessionService,
    private readonly tokens: AccessTokens,
    private readonly config: Config,
    private readonly audit: AuditLog,
  ) {}

  /** @throws LoginThrottled, LoginFailed, MayNotSignIn, UnknownRole */
  async login(login: PasswordLogin, origin: RequestOrigin): Promise<LoginAnswer> {
    const recognized = await this.passwords.recognize(login);
    if (!recognized) throw new LoginFailed();
    const { account, passwordHash } = recognized;
    const token = await this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, account.id);
      if (row.passwordHash !== passwordHash) throw new LoginFailed();
      const begun = await this.beginSession(tx, row, origin);
      await this.audit.record(tx, actorOf(account, login.caller), 'user.signed_in', { userId: row.id });
      return begun;
    });
    await this.firstLogin.recordIfFirst(account.id);
    return loginAnswer(this.current(account.id), token);
  }

  /**
   * Gives the actor another password. All their sessions end, and a new one begins.
   * @throws LoginThrottled, WrongPassword, NewPasswordTooWeak
   */
  async changePassword(
    actor: Actor,
    oldPassword: string,
    newPassword: string,
    origin: RequestOrigin,
  ): Promise<LoginAnswer> {
    const checked = await this.passwords.checkChange(actor, oldPassword, newPassword);
    const token = await this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, actor.userId);
      this.passwords.replace(row, checked);
      await this.changes.save(tx, row);
      await this.audit.record(tx, actor, 'user.password_changed', { userId: row.id });
      return this.beginSession(tx, row, origin);
    });
    return loginAnswer(this.current(actor.userId), token);
  }

  /** The account as of now. */
  current(userId: number): AccountRecord {
    return this.accounts.existing(userId);
  }

  /**
   * @param row the account as it is within the exclusive transaction
   * @throws MayNotSignIn, UnknownRole
   */
  private async beginSession(tx: Transaction, row: Account, origin: RequestOrigin): Promise<IssuedToken> {
    if (!row.isActive) throw new MayNotSignIn();
    const role = roleName(row.role);
    if (!role) throw new UnknownRole();
    const { tokenId, expiresAt } = await this.sessions.begin(tx, row.id, origin);
    const text = this.tokens.sign({ userId: row.id, sessionId: tokenId, role }, expiresAt);
    return { text, seconds: this.config.accessTokenLifetimeSeconds };
  }
}
