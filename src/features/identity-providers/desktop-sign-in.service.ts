import { createHash, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import {
  type IdentityProvider,
  IdentityProviders,
  type Protocol,
} from '../../platform/config/identity-providers';
import { Database } from '../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../platform/database/transaction.service';
import { Hooks } from '../../platform/hooks/hooks';
import type { RequestOrigin } from '../../platform/http/decorators';
import { AuditLog } from '../audit/audit.module';
import {
  OrganizationDirectory,
  type SignInMethod,
} from '../organization-settings/organization-settings.module';
import {
  AccountChanges,
  AccountDirectory,
  allSessionsEnded,
  LoginSessionService,
  personalDataRemoved,
  type ProviderSession,
  type SessionAuthentication,
  SessionStart,
  SignInFailures,
  type StartedSession,
} from '../users/users.module';
import { DesktopSignInOver } from './desktop-pages';
import { PendingDesktopSignIn } from './desktop-sign-in.entity';

/** Long enough to paste the token by hand. */
const LIFETIME_SECONDS = 60;

/** A session that the desktop app has yet to start. */
export interface PendingSession {
  /** Name of the identity provider. */
  readonly provider: string;
  readonly grounds: SessionAuthentication;
  /** Page to open after the sign-in: a path on this server. */
  readonly next: string;
}

/** Hands sign-ins over from a browser to the desktop app, which redeems a one-time token for each. */
@Injectable()
export class DesktopSignIn {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly providers: IdentityProviders,
    private readonly accounts: AccountDirectory,
    private readonly changes: AccountChanges,
    private readonly organization: OrganizationDirectory,
    private readonly starts: SessionStart,
    private readonly sessions: LoginSessionService,
    private readonly audit: AuditLog,
    private readonly failures: SignInFailures,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    sessions.alsoExpire('desktop_sign_in', 'expires_at');
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(PendingDesktopSignIn).delete({ userId });
    });
    hooks.on(allSessionsEnded, async (tx, userId) => {
      await (userId === null
        ? tx.query('DELETE FROM desktop_sign_in')
        : tx.repository(PendingDesktopSignIn).delete({ userId }));
    });
  }

  /** Stores a session for the app to start. @returns its token */
  async keep(tx: Transaction, userId: number, awaited: PendingSession): Promise<string> {
    const token = newToken();
    await tx.repository(PendingDesktopSignIn).insert({
      userId,
      digest: digestOf(token),
      grounds: JSON.stringify(awaited),
      expiresAt: this.clock.nowSeconds() + LIFETIME_SECONDS,
    });
    return token;
  }

  /**
   * Deletes pending sign-ins when the provider ends their session: those with its `sid`, or without a `sid` all of the
   * user's.
   * @param until UNIX seconds; without a `sid`, later sign-ins stay
   */
  async takeBack(
    tx: Transaction,
    userId: number | undefined,
    { issuer, sid }: ProviderSession,
    until: number,
  ): Promise<void> {
    const rows = await tx.repository(PendingDesktopSignIn).find();
    for (const { id, userId: owner, grounds, expiresAt } of rows) {
      const { provider } = (JSON.parse(grounds) as PendingSession).grounds;
      const isNamed =
        sid === null
          ? owner === userId && expiresAt - LIFETIME_SECONDS <= until
          : provider?.sid === sid && (userId === undefined || owner === userId);
      if (isNamed && provider?.issuer === issuer) await tx.repository(PendingDesktopSignIn).delete({ id });
    }
  }

  /**
   * Starts the session for a token if the provider is still enabled. Checks the account again.
   * @param former the app's previous session, which ends
   * @returns the session, and the page to open
   * @throws DesktopSignInOver
   */
  async takeOver(
    token: string,
    caller: Caller,
    origin: RequestOrigin,
    former: string | null,
  ): Promise<{ session: StartedSession; next: string }> {
    const digest = digestOf(token);
    // Unauthenticated callers get here: an unknown token must not take the exclusive lock.
    const [found] = await this.database.read.query('SELECT id FROM desktop_sign_in WHERE digest = ?', [
      digest,
    ]);
    if (!found) throw new DesktopSignInOver();
    const taken = await this.transactions.runExclusive(async (tx) => {
      const [row] = await tx.query<{ user_id: number; grounds: string; expires_at: number }>(
        'DELETE FROM desktop_sign_in WHERE digest = ? RETURNING user_id, grounds, expires_at',
        [digest],
      );
      if (!row || row.expires_at <= this.clock.nowSeconds()) return null;
      const userId = row.user_id;
      // Returns instead of throwing, so the deletion commits: a refused attempt also uses up the token.
      if (this.organization.isDeactivated || !this.accounts.byId(userId)?.isActive)
        return { userId, begun: null };
      const { provider, grounds, next } = JSON.parse(row.grounds) as PendingSession;
      const known = this.providers.all.find(({ name }) => name === provider);
      if (!known || !isOn(this.organization, known)) return null;
      if (former !== null) await this.sessions.end(tx, former);
      const account = await this.changes.load(tx, userId);
      const session = await this.starts.begin(tx, account, 'browser', origin, grounds);
      this.audit.record(tx, { ...caller, userId }, 'user.signed_in', { userId }, { provider });
      return { userId, begun: { session, next } };
    });
    if (taken?.begun) return taken.begun;
    if (taken) this.failures.record(caller, 'deactivated', taken.userId);
    throw new DesktopSignInOver();
  }
}

const METHODS: Readonly<Record<Protocol, SignInMethod>> = { oidc: 'OpenID Connect', saml: 'SAML' };

/** Whether the organization has enabled the provider's sign-in method. */
export function isOn({ signInMethods }: OrganizationDirectory, { protocol }: IdentityProvider): boolean {
  return signInMethods[METHODS[protocol]] === true;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A token in the format of an API key. */
function newToken(): string {
  return Array.from({ length: 32 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
