import { Injectable } from '@nestjs/common';
import { type Caller, roleName } from '../../../platform/actor';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { OrganizationClosed } from '../../../platform/errors/shared.errors';
import type { RequestOrigin } from '../../../platform/http/decorators';
import { AccessTokens } from '../../../platform/secrets/access-tokens';
import { AuditLog } from '../../audit/audit.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { actorOf } from '../accounts/account.directory';
import type { Account } from '../accounts/account.entity';
import { AccountChanges } from '../records/account-changes.service';
import type { SessionKind } from '../sessions/login-session.entity';
import { LoginSessionService, type ProviderSession } from '../sessions/login-session.service';
import { FirstLoginService } from './first-login.service';
import { type PasswordLogin, PasswordService, type Recognized } from './password.service';
import { SignInFailures, type SignInRefusal } from './sign-in-failures.service';
import { LoginFailed, MayNotSignIn, PasswordLoginOff, UnknownRole } from './credentials.api';

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
    private readonly failures: SignInFailures,
  ) {}

  /** @throws LoginThrottled, LoginFailed, PasswordLoginOff, and what {@link begin} throws */
  async byPassword(login: PasswordLogin, kind: SessionKind, origin: RequestOrigin): Promise<StartedSession> {
    const recognized = await this.passwords.recognize(login);
    if (!recognized) throw new LoginFailed();
    const { account } = recognized;
    try {
      const session = await this.beginFor(recognized, login.caller, kind, origin);
      await this.firstLogin.recordIfFirst(account.id);
      return session;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason) this.failures.record(login.caller, reason, account.id);
      throw error;
    }
  }

  private async beginFor(
    { account, passwordHash }: Recognized,
    caller: Caller,
    kind: SessionKind,
    origin: RequestOrigin,
  ): Promise<StartedSession> {
    if (!this.organization.signInMethods.Email) throw new PasswordLoginOff();
    return this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, account.id);
      if (row.passwordHash !== passwordHash) throw new LoginFailed();
      const begun = await this.begin(tx, row, kind, origin);
      this.audit.record(tx, actorOf(account, caller), 'user.signed_in', { userId: row.id });
      return begun;
    });
  }

  /**
   * @param row the account as it is within the exclusive transaction
   * @param provider the session at an identity provider from which this one follows
   * @throws OrganizationClosed, MayNotSignIn, UnknownRole
   */
  async begin(
    tx: Transaction,
    row: Account,
    kind: SessionKind,
    origin: RequestOrigin,
    provider: ProviderSession | null = null,
  ): Promise<StartedSession> {
    if (this.organization.isDeactivated) throw new OrganizationClosed();
    if (!row.isActive) throw new MayNotSignIn();
    const role = roleName(row.role);
    if (!role) throw new UnknownRole();
    const { tokenId, expiresAt } = await this.sessions.begin(tx, row.id, kind, origin, provider);
    const token = await this.tokens.sign({ userId: row.id, sessionId: tokenId, role }, expiresAt);
    return { userId: row.id, token, seconds: this.sessions.secondsOf(kind) };
  }
}

/** Null for errors that say nothing of the person. */
function reasonOf(error: unknown): SignInRefusal | null {
  if (error instanceof LoginFailed) return 'wrong_password';
  if (error instanceof PasswordLoginOff) return 'password_sign_in_off';
  if (error instanceof OrganizationClosed) return 'organization_deactivated';
  if (error instanceof MayNotSignIn) return 'deactivated';
  if (error instanceof UnknownRole) return 'unknown_role';
  return null;
}
