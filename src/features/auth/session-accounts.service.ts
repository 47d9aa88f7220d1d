import { Injectable } from '@nestjs/common';
import { roleName } from '../../platform/actor';
import { AccessTokens } from '../../platform/secrets/access-tokens';
import {
  AccountDirectory,
  type AccountRecord,
  LoginSessionService,
  type SessionKind,
} from '../users/users.module';

/** A session that goes on, and whose it is. */
export interface FoundSession {
  readonly sessionId: string;
  /** UNIX seconds. */
  readonly endsAt: number;
  readonly account: AccountRecord;
}

/** Finds out who sends the token of a session, as a bearer token or in a cookie. */
@Injectable()
export class SessionAccounts {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly sessions: LoginSessionService,
    private readonly accounts: AccountDirectory,
  ) {}

  /**
   * Null unless this server signed the token, for a session of this kind that goes on, of an active person who still has
   * the role that the token names. Strangers are refused without the database.
   */
  async find(token: string, kind: SessionKind): Promise<FoundSession | null> {
    const claims = await this.tokens.read(token);
    if (!claims) return null;
    const { sessionId, userId, role, expiresAt: endsAt } = claims;
    if ((await this.sessions.ownerOf(sessionId, kind)) !== userId) return null;
    const account = this.accounts.byId(userId);
    const isWelcome = account?.isActive && !account.isBot && roleName(account.role) === role;
    return isWelcome ? { sessionId, endsAt, account } : null;
  }
}
