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

/** Few enough to let other writes in between. */
const ROWS_PER_STEP = 500;

/** A table whose rows end by themselves, and its column that says when, in UNIX seconds. */
type ExpiringTable = readonly [name: string, endsAt: string];

const EXPIRING: readonly ExpiringTable[] = [
  ['login_session', 'expires_at'],
  ['remembered_device', 'expires_at'],
  ['used_challenge', 'expires_at'],
];

/** Sessions that a person may have in browsers, side by side. */
const MAX_BROWSERS = 100;

/** The session at an identity provider from which one here follows. */
export interface ProviderSession {
  /** Address of the provider. */
  readonly issuer: string;
  /** What the provider calls it; null where it does not say. */
  readonly sid: string | null;
}

/** What a session rests on beside the password or link. */
export interface SessionGrounds {
  /** The session at an identity provider from which this one follows. */
  readonly provider?: ProviderSession;
  /** The ID token, sealed: it tells the provider which session to end. */
  readonly sealedIdToken?: string | null;
  /** Whether a second factor was shown, here or at the provider. */
  readonly hasFactor?: boolean;
  /** Whether it was shown earlier, so that dangerous changes ask for it. */
  readonly isRemembered?: boolean;
  /** When the owner proved who they are, in UNIX seconds; now if omitted. */
  readonly authenticatedAt?: number;
}

/** A session that goes on. */
export type LiveSession = Pick<LoginSession, 'userId' | 'hasFactor' | 'authenticatedAt'>;

/** A session that its owner ended. */
export type EndedSession = Pick<LoginSession, 'userId' | 'providerIssuer' | 'sealedIdToken'>;

type UsedSession = LiveSession & Pick<LoginSession, 'id' | 'createdAt' | 'lastUsedAt'>;
type Lifetime = Pick<LoginSession, 'expiresAt'>;

/** Sessions of programs and browsers: they begin with a login, and end when anything they depend on changes. */
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
   * Within an exclusive transaction that has checked the account, so that no session begins after the password or role
   * it depends on was changed.
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
    }: SessionGrounds = {},
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

  /** How long a session goes on at most. */
  secondsOf(kind: SessionKind): number {
    const { accessTokenLifetimeSeconds, browserSessionLifetimeSeconds } = this.config;
    return kind === 'browser' ? browserSessionLifetimeSeconds : accessTokenLifetimeSeconds;
  }

  /** Uses the session; null once it has ended, or where it is of another kind. */
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

  /** Whether a second factor was shown for the session, as of this transaction. */
  hasFactorIn(tx: Transaction, tokenId: string): Promise<boolean> {
    return tx.repository(LoginSession).existsBy({ tokenId, hasFactor: true });
  }

  /** Records that the owner has proved again who they are. */
  async reauthenticated(tx: Transaction, tokenId: string): Promise<void> {
    await tx.repository(LoginSession).update({ tokenId }, { authenticatedAt: this.clock.nowSeconds() });
  }

  /** Records whether the owner has shown, or no longer has, a second factor. */
  async setFactor(tx: Transaction, tokenId: string, hasFactor: boolean): Promise<void> {
    const authenticatedAt = this.clock.nowSeconds();
    const proof = hasFactor ? { hasFactor, authenticatedAt } : { hasFactor };
    await tx.repository(LoginSession).update({ tokenId }, proof);
  }

  /** Those of the sessions that have not ended. */
  async liveAmong(tokenIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (tokenIds.length === 0) return new Set();
    const rows = await this.database.read.query<Pick<LoginSession, 'tokenId'>>(
      'SELECT token_id AS "tokenId" FROM login_session WHERE token_id IN (?) AND expires_at > ?',
      [tokenIds, this.clock.nowSeconds()],
    );
    return new Set(rows.map(({ tokenId }) => tokenId));
  }

  /** One page of a person's sessions that have not ended, oldest first, and how many there are in all. */
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

  /** Signs out. @returns what the session was; undefined where there was none */
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
   * Ends all sessions of a person, or all but one, and has every browser ask for a second factor again.
   * @param exceptTokenId names the session that goes on
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
   * Ends what a person began by an identity provider: the session of this name there, or all without a name.
   * @param until UNIX seconds; without a name, what began later goes on. A named session does not, since the provider's
   *   clock may be behind, and the name does not come back
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

  /** Whose session at an identity provider it is, as far as it led to one here; undefined if it did not. */
  async ownerAtProvider(tx: Transaction, { issuer, sid }: ProviderSession): Promise<number | undefined> {
    const [row] = await tx.query<Pick<LoginSession, 'userId'>>(
      'SELECT user_id AS "userId" FROM login_session WHERE provider_issuer = ? AND provider_sid = ? LIMIT 1',
      [issuer, sid],
    );
    return row?.userId;
  }

  /** Signs everybody out, and has every browser ask for a second factor again. */
  async endOfEverybody(tx: Transaction): Promise<void> {
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

  /** When an idle session ends. Use moves the end, up to the maximum lifetime. */
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

  /** Has the rows of a table of another feature deleted as well, once they have ended. */
  alsoExpire(...table: ExpiringTable): void {
    this.expiring.push(table);
  }

  /** Deletes the rows of ended sessions, of browsers that are no longer remembered, of old challenges and the like, in steps. */
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

  /** A row outlives its session for a while. */
  private goesOn({ expiresAt }: Lifetime): boolean {
    return expiresAt > this.clock.nowSeconds();
  }
}

/** On every node, requests that wait in such a session have to end. */
function tellEnded(tx: Transaction, userId: number): void {
  tx.emit({ type: NodeRow.sessionsEnded, user_id: userId }, Audience.none);
}
