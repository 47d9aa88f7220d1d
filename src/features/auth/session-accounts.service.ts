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

/** A session that goes on, and whose it is. */
export interface FoundSession {
  readonly sessionId: string;
  /** UNIX seconds. */
  readonly endsAt: number;
  readonly account: AccountRecord;
  /** Whether the organization requires a second factor, which was not shown for it. */
  readonly lacksFactor: boolean;
  /** Whether its owner proved a short while ago who they are. */
  readonly isRecent: boolean;
}

/** For how long a sign-in is enough for what is dangerous. */
const RECENT_SECONDS = 600;

/** Finds out who sends the token of a session, as a bearer token or in a cookie. */
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
   * Null unless this server signed the token, for a session of this kind that goes on, of an active person who still has
   * the role that the token names. Strangers are refused without the database.
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
