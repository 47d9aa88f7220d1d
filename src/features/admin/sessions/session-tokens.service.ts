import { Injectable } from '@nestjs/common';
import { roleName } from '../../../platform/actor';
import { Config } from '../../../platform/config/config';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { RequestOrigin } from '../../../platform/http/decorators';
import { AccessTokens } from '../../../platform/secrets/access-tokens';
import { type Account, LoginSessionService } from '../../users';
import { AccountDeactivated, UnknownRole } from '../login/login.errors';

/** A token, and for how many seconds it works. */
export interface SessionToken {
  readonly text: string;
  readonly seconds: number;
}

/** Begins sessions, each with the token that stands for it. */
@Injectable()
export class SessionTokens {
  constructor(
    private readonly sessions: LoginSessionService,
    private readonly tokens: AccessTokens,
    private readonly config: Config,
  ) {}

  /**
   * @param row the account as it is within the exclusive transaction
   * @throws AccountDeactivated, UnknownRole
   */
  async issue(tx: Transaction, row: Account, origin: RequestOrigin): Promise<SessionToken> {
    if (!row.isActive) throw new AccountDeactivated();
    const role = roleName(row.role);
    if (!role) throw new UnknownRole();
    const { tokenId, expiresAt } = await this.sessions.begin(tx, row.id, origin);
    const text = this.tokens.sign({ userId: row.id, sessionId: tokenId, role }, expiresAt);
    return { text, seconds: this.config.accessTokenLifetimeSeconds };
  }
}
