import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ReadRepository } from '../../../platform/database/read-source';
import { MoreThan } from 'typeorm';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { NodeRow } from '../../../platform/events/server-event';
import { Hooks } from '../../../platform/hooks/hooks';
import type { RequestOrigin } from '../../../platform/http/decorators';
import { PeriodicTask } from '../../../platform/lifecycle/periodic-task';
import { allSessionsEnded } from '../users.hooks';
import { LoginSession, type SessionKind } from './login-session.entity';
import { SessionUse } from './session-use.service';

const EXPIRY_INTERVAL_MS = 10 * 60_000;

/** Small enough to let other writes in between. */
const ROWS_PER_STEP = 500;

/** A table with expiring rows, and its column with the expiry in UNIX seconds. */
type ExpiringTable = readonly [name: string, endsAt: string];

const EXPIRING: readonly ExpiringTable[] = [
  ['login_session', 'expires_at'],
  ['remembered_device', 'expires_at'],
  ['used_challenge', 'expires_at'],
];

/** Maximum number of a person's concurrent browser sessions. */
const MAX_BROWSERS = 100;

/** The session at an identity provider that started a session here. */
export interface ProviderSession {
  /** Issuer URL of the provider. */
  readonly issuer: string;
  /** The provider's session ID; null if it sent none. */
  readonly sid: string | null;
}

/** Details of how a session was authenticated. */
export interface SessionAuthentication {
  /** The session at an identity provider that started this one. */
  readonly provider?: ProviderSession;
  /** The ID token, encrypted: identifies the session to end at the provider. */
  readonly sealedIdToken?: string | null;
  /** Whether a second factor was verified, here or by the provider. */
  readonly hasFactor?: boolean;
  /** Whether the factor was verified earlier, so that sensitive changes require it again. */
  readonly isRemembered?: boolean;
  /** When the owner authenticated, in UNIX seconds; now by default. */
  readonly authenticatedAt?: number;
}

/** A session that has not ended. */
export type LiveSession = Pick<LoginSession, 'userId' | 'hasFactor' | 'authenticatedAt'>;

/** A session that its owner ended. */
export type EndedSession = Pick<LoginSession, 'userId' | 'providerIssuer' | 'sealedIdToken'>;

type UsedSession = LiveSession & Pick<LoginSession, 'id' | 'createdAt' | 'lastUsedAt'>;
type Lifetime = Pick<LoginSession, 'expiresAt'>;

/** Sessions of programs and browsers: they start with a login, and end when anything they depend on changes. */
@Injectable()
export class LoginSessionService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly expiry = new PeriodicTask('LoginSessionExpiry', () => this.deleteExpired());
  private readonly expiring = [...EXPIRING];

  constructor(
    private readonly database: Database,
    @InjectRepository(LoginSession) private readonly sessions: ReadRepository<LoginSession>,
    private readonly transactions: TransactionService,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly uses: SessionUse,
    private readonly hooks: Hooks,
  ) {}

  /**
   * Called in an exclusive transaction that has checked the account, so that no session starts after a change of the
   * password or role it depends on.
   */
  async begin(
    tx: Transaction,
    userId: number,
    kind: SessionKind,
    origin: RequestOrigin,
    {
      provider,
      sealedIdToken = null,
      hasFactor = false,
      isRemembered = false,
      authenticatedAt = Infinity,
    }: SessionAuthentication = {},
  ): Promise<LoginSession> {
    const createdAt = this.clock.nowSeconds();
    const row = tx.repository(LoginSession).create({
      tokenId: randomBytes(16).toString('hex'),
      userId,
      kind,
      createdAt,
      expiresAt: this.endOf(kind, createdAt, createdAt),
      lastUsedAt: null,
      address: origin.address,
      userAgent: origin.userAgent,
      providerIssuer: provider?.issuer ?? null,
      providerSid: provider?.sid ?? null,
      sealedIdToken,
      hasFactor,
      authenticatedAt: isRemembered ? 0 : Math.min(authenticatedAt, createdAt),
    });
    await tx.repository(LoginSession).insert(row);
    if (kind === 'browser') await this.endOldest(tx, userId);
    return row;
  }

  /** The maximum lifetime of a session. */
  secondsOf(kind: SessionKind): number {
    const { accessTokenLifetimeSeconds, browserSessionLifetimeSeconds } = this.config;
    return kind === 'browser' ? browserSessionLifetimeSeconds : accessTokenLifetimeSeconds;
  }

  /** Records the use of a session; null if it has ended or is of another kind. */
  async use(tokenId: string, kind: SessionKind): Promise<LiveSession | null> {
    const [row] = await this.database.read.query<UsedSession>(
      `SELECT id, user_id AS "userId", created_at AS "createdAt", last_used_at AS "lastUsedAt",
         has_factor AS "hasFactor", authenticated_at AS "authenticatedAt"
       FROM login_session WHERE token_id = ? AND kind = ? AND expires_at > ?`,
      [tokenId, kind, this.clock.nowSeconds()],
    );
    if (!row) return null;
    this.uses.note(row, (usedAt) => this.endOf(kind, row.createdAt, usedAt));
    return { ...row, hasFactor: Boolean(row.hasFactor) };
  }

  /** Whether a second factor was verified in the session, as read in this transaction. */
  hasFactorIn(tx: Transaction, tokenId: string): Promise<boolean> {
    return tx.repository(LoginSession).existsBy({ tokenId, hasFactor: true });
  }

  /** Records that the owner has authenticated again. */
  async reauthenticated(tx: Transaction, tokenId: string): Promise<void> {
    await tx.repository(LoginSession).update({ tokenId }, { authenticatedAt: this.clock.nowSeconds() });
  }

  /** Sets whether the owner has verified a second factor. */
  async setFactor(tx: Transaction, tokenId: string, hasFactor: boolean): Promise<void> {
    const authenticatedAt = this.clock.nowSeconds();
    const proof = hasFactor ? { hasFactor, authenticatedAt } : { hasFactor };
    await tx.repository(LoginSession).update({ tokenId }, proof);
  }

  /** Filters sessions down to those that have not ended. */
  async liveAmong(tokenIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (tokenIds.length === 0) return new Set();
    const rows = await this.database.read.query<Pick<LoginSession, 'tokenId'>>(
      'SELECT token_id AS "tokenId" FROM login_session WHERE token_id IN (?) AND expires_at > ?',
      [tokenIds, this.clock.nowSeconds()],
    );
    return new Set(rows.map(({ tokenId }) => tokenId));
  }

  /** One page of a person's active sessions, oldest first, and their total number. */
  async page(
    userId: number,
    { afterId, offset, limit }: { readonly afterId: number; readonly offset: number; readonly limit: number },
  ): Promise<{ readonly sessions: LoginSession[]; readonly total: number }> {
    const where = { userId, expiresAt: MoreThan(this.clock.nowSeconds()) };
    return {
      sessions: await this.sessions.find({
        where: { ...where, id: MoreThan(afterId) },
        order: { id: 'ASC' },
        skip: offset,
        take: limit,
      }),
      total: await this.sessions.countBy(where),
    };
  }

  /** Signs out. @returns the ended session; undefined if there was none */
  async end(tx: Transaction, tokenId: string): Promise<EndedSession | undefined> {
    const [ended] = await tx.query<EndedSession>(
      `DELETE FROM login_session WHERE token_id = ?
       RETURNING user_id AS "userId", provider_issuer AS "providerIssuer", sealed_id_token AS "sealedIdToken"`,
      [tokenId],
    );
    if (ended) tellEnded(tx, ended.userId);
    return ended;
  }

  /**
   * Ends all of a person's sessions, optionally except one, and forgets all remembered browsers.
   * @param exceptTokenId the session that continues
   * @returns how many sessions ended
   */
  async endAll(tx: Transaction, userId: number, exceptTokenId = ''): Promise<number> {
    await tx.query('DELETE FROM remembered_device WHERE user_id = ?', [userId]);
    const ended = await tx.query<Lifetime>(
      'DELETE FROM login_session WHERE user_id = ? AND token_id <> ? RETURNING expires_at AS "expiresAt"',
      [userId, exceptTokenId],
    );
    await this.hooks.run(allSessionsEnded, tx, userId);
    if (ended.length > 0) tellEnded(tx, userId);
    return ended.filter((session) => this.goesOn(session)).length;
  }

  /**
   * Ends a person's sessions from an identity provider: those of one session there, or all.
   * @param until UNIX seconds; if all are to end, those started later continue. Those of one session end in any case,
   * since the provider's clock may be behind and session IDs are not reused
   * @returns how many sessions ended
   */
  async endOfProvider(
    tx: Transaction,
    userId: number,
    { issuer, sid }: ProviderSession,
    until: number,
  ): Promise<number> {
    const ended = await tx.query(
      `DELETE FROM login_session WHERE user_id = ? AND provider_issuer = ?
         AND ${sid === null ? 'created_at <= ?' : 'provider_sid = ?'} RETURNING id`,
      [userId, issuer, sid ?? until],
    );
    if (ended.length > 0) tellEnded(tx, userId);
    return ended.length;
  }

  /** The owner of a session at an identity provider that started one here; undefined if there is none. */
  async ownerAtProvider(tx: Transaction, { issuer, sid }: ProviderSession): Promise<number | undefined> {
    const [row] = await tx.query<Pick<LoginSession, 'userId'>>(
      'SELECT user_id AS "userId" FROM login_session WHERE provider_issuer = ? AND provider_sid = ? LIMIT 1',
      [issuer, sid],
    );
    return row?.userId;
  }

  /** Signs everyone out, and forgets all remembered browsers. */
  async endAllSessions(tx: Transaction): Promise<void> {
    await tx.query('DELETE FROM login_session');
    await tx.query('DELETE FROM remembered_device');
    await this.hooks.run(allSessionsEnded, tx, null);
  }

  /** @returns whether the person had such a session */
  async endOne(tx: Transaction, userId: number, id: number): Promise<boolean> {
    const ended = await tx.query<Lifetime>(
      'DELETE FROM login_session WHERE user_id = ? AND id = ? RETURNING expires_at AS "expiresAt"',
      [userId, id],
    );
    if (ended.length > 0) tellEnded(tx, userId);
    return ended.some((session) => this.goesOn(session));
  }

  onApplicationBootstrap(): void {
    this.expiry.start(EXPIRY_INTERVAL_MS, { clock: this.clock });
  }

  onModuleDestroy(): Promise<void> {
    return this.expiry.stop();
  }

  /** When an idle session ends. Each use extends it, up to the maximum lifetime. */
  private endOf(kind: SessionKind, createdAt: number, usedAt: number): number {
    const { accessTokenIdleSeconds, browserSessionIdleSeconds } = this.config;
    const idleSeconds = kind === 'browser' ? browserSessionIdleSeconds : accessTokenIdleSeconds;
    return Math.min(createdAt + this.secondsOf(kind), usedAt + idleSeconds);
  }

  /** Limits browser sessions per user; the newest ones stay. */
  private async endOldest(tx: Transaction, userId: number): Promise<void> {
    const ended = await tx.query(
      `DELETE FROM login_session WHERE user_id = ? AND kind = 'browser' AND id <=
         (SELECT id FROM login_session WHERE user_id = ? AND kind = 'browser' ORDER BY id DESC LIMIT 1 OFFSET ?)
       RETURNING id`,
      [userId, userId, MAX_BROWSERS],
    );
    if (ended.length > 0) tellEnded(tx, userId);
  }

  /** Registers a table of another feature whose expired rows are deleted as well. */
  alsoExpire(...table: ExpiringTable): void {
    this.expiring.push(table);
  }

  /** Deletes expired rows, such as ended sessions, remembered browsers and old challenges, in steps. */
  async deleteExpired(): Promise<void> {
    for (const table of this.expiring) {
      while (!this.expiry.isStopping && (await this.deleteSomeExpired(table))) await nextTurn();
    }
  }

  /** @returns whether there may be more to delete */
  private async deleteSomeExpired([table, endsAt]: ExpiringTable): Promise<boolean> {
    const deleted = await this.transactions.run((tx) =>
      tx.query(
        `DELETE FROM ${table} WHERE id IN
           (SELECT id FROM ${table} WHERE ${endsAt} <= ? ORDER BY ${endsAt} LIMIT ?)
         RETURNING id`,
        [this.clock.nowSeconds(), ROWS_PER_STEP],
      ),
    );
    return deleted.length === ROWS_PER_STEP;
  }

  /** Rows of ended sessions are kept for a while. */
  private goesOn({ expiresAt }: Lifetime): boolean {
    return expiresAt > this.clock.nowSeconds();
  }
}

/** Makes every node end requests that are waiting in such a session. */
function tellEnded(tx: Transaction, userId: number): void {
  tx.emit({ type: NodeRow.sessionsEnded, user_id: userId }, Audience.none);
}
