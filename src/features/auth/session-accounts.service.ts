import { Injectable } from '@nestjs/common';
import { roleName } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import { AccessTokens } from '../../platform/secrets/access-tokens';
import {
  AccountDirectory,
  type AccountRecord,
  FactorPolicy,
  LoginSessionService,
  type SessionKind,
} from '../users/users.module';

/** An active session and its owner. */
export interface FoundSession {
  readonly sessionId: string;
  /** UNIX seconds. */
  readonly endsAt: number;
  readonly account: AccountRecord;
  /** Whether the organization requires a second factor that the session has not verified. */
  readonly lacksFactor: boolean;
  /** Whether the owner authenticated recently. */
  readonly isRecent: boolean;
}

/** How long after a sign-in sensitive changes are allowed. */
const RECENT_SECONDS = 600;

/** Authenticates session tokens, from a bearer header or a cookie. */
@Injectable()
export class SessionAccounts {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly sessions: LoginSessionService,
    private readonly accounts: AccountDirectory,
    private readonly factors: FactorPolicy,
    private readonly clock: Clock,
  ) {}

  /**
   * Null unless this server signed the token, for an active session of this kind, of an active person who still has the
   * role named in the token. Forged tokens are refused without using the database.
   */
  async find(token: string, kind: SessionKind): Promise<FoundSession | null> {
    const claims = await this.tokens.read(token);
    if (!claims) return null;
    const { sessionId, userId, role, expiresAt: endsAt } = claims;
    const session = await this.sessions.use(sessionId, kind);
    if (session?.userId !== userId) return null;
    const account = this.accounts.byId(userId);
    const isWelcome = account?.isActive && !account.isBot && roleName(account.role) === role;
    if (!isWelcome) return null;
    return {
      sessionId,
      endsAt,
      account,
      lacksFactor: !session.hasFactor && this.factors.requires(account),
      isRecent: this.clock.nowSeconds() - session.authenticatedAt < RECENT_SECONDS,
    };
  }
}
