import { Injectable } from '@nestjs/common';
import { roleName } from '../../../platform/actor';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { OrganizationClosed } from '../../../platform/errors/shared.errors';
import type { RequestOrigin } from '../../../platform/http/decorators';
import { AccessTokens } from '../../../platform/secrets/access-tokens';
import { AuditLog } from '../../audit';
import { OrganizationDirectory } from '../../organization-settings';
import { actorOf } from '../accounts/account.directory';
import type { Account } from '../accounts/account.entity';
import { AccountChanges } from '../records/account-changes.service';
import type { SessionKind } from '../sessions/login-session.entity';
import { LoginSessionService } from '../sessions/login-session.service';
import { FirstLoginService } from './first-login.service';
import { type PasswordLogin, PasswordService } from './password.service';
import { LoginFailed, MayNotSignIn, PasswordLoginOff, UnknownRole } from './sign-in.errors';

/** A session that has begun. */
export interface StartedSession {
  readonly userId: number;
  /** What its owner shows with each request, as a bearer token or in a cookie. */
  readonly token: string;
  /** For how long. */
  readonly seconds: number;
}

/** Begins sessions of people, of either kind. */
@Injectable()
export class SessionStart {
  constructor(
    private readonly transactions: TransactionService,
    private readonly organization: OrganizationDirectory,
    private readonly changes: AccountChanges,
    private readonly firstLogin: FirstLoginService,
    private readonly passwords: PasswordService,
    private readonly sessions: LoginSessionService,
    private readonly tokens: AccessTokens,
    private readonly audit: AuditLog,
  ) {}

  /** @throws LoginThrottled, LoginFailed, PasswordLoginOff, and what {@link begin} throws */
  async byPassword(login: PasswordLogin, kind: SessionKind, origin: RequestOrigin): Promise<StartedSession> {
    const recognized = await this.passwords.recognize(login);
    if (!recognized) throw new LoginFailed();
    if (!this.organization.signInMethods.Email) throw new PasswordLoginOff();
    const { account, passwordHash } = recognized;
    const session = await this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, account.id);
      if (row.passwordHash !== passwordHash) throw new LoginFailed();
      const begun = await this.begin(tx, row, kind, origin);
      this.audit.record(tx, actorOf(account, login.caller), 'user.signed_in', { userId: row.id });
      return begun;
    });
    await this.firstLogin.recordIfFirst(account.id);
    return session;
  }

  /**
   * @param row the account as it is within the exclusive transaction
   * @throws OrganizationClosed, MayNotSignIn, UnknownRole
   */
  async begin(
    tx: Transaction,
    row: Account,
    kind: SessionKind,
    origin: RequestOrigin,
  ): Promise<StartedSession> {
    if (this.organization.isDeactivated) throw new OrganizationClosed();
    if (!row.isActive) throw new MayNotSignIn();
    const role = roleName(row.role);
    if (!role) throw new UnknownRole();
    const { tokenId, expiresAt } = await this.sessions.begin(tx, row.id, kind, origin);
    const token = this.tokens.sign({ userId: row.id, sessionId: tokenId, role }, expiresAt);
    return { userId: row.id, token, seconds: this.sessions.secondsOf(kind) };
  }
}
