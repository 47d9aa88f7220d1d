import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../clock';
import { UNUSED_AUDIENCE_KEPT_MS } from '../events/audience';
import { PeriodicTask } from '../lifecycle/periodic-task';
import { CommittedReads } from '../sql/queryable';
import { TransactionService } from './transaction.service';

/** Returns the time from which rows of the log are needed, in UNIX milliseconds; null if none are. */
export type LogClaim = () => Promise<number | null>;

/** Registers readers that lag behind the log, with the oldest event they need. */
@Injectable()
export class LogClaims {
  private readonly claims: LogClaim[] = [];

  add(claim: LogClaim): void {
    this.claims.push(claim);
  }

  /** UNIX milliseconds; infinite if no events are needed. */
  async neededSince(): Promise<number> {
    let since = Infinity;
    for (const claim of this.claims) since = Math.min(since, (await claim()) ?? Infinity);
    return since;
  }
}

/** Maximum retention of events, even if needed. Milliseconds. */
export const EVENT_RETENTION_MS = Symbol('EVENT_RETENTION_MS');

const INTERVAL_MS = 10 * 60_000;
const ROWS_PER_STEP = 500;

/** Minimum retention of events, even if not needed; longer than a transaction may take to appear. */
const ALWAYS_KEPT_MS = 30 * 60_000;

/** Deletes expired events, in steps short enough to let other writes through. */
@Injectable()
export class EventLogExpiry implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask('EventLogExpiry', () => this.expire());

  constructor(
    private readonly database: CommittedReads,
    private readonly transactions: TransactionService,
    private readonly claims: LogClaims,
    private readonly clock: Clock,
    @Inject(EVENT_RETENTION_MS) private readonly retentionMs: number,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start(INTERVAL_MS, { clock: this.clock });
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** Deletes everything that has expired. */
  async expire(): Promise<void> {
    const before = await this.keptSince();
    while (!this.task.isStopping && (await this.expireEvents(before))) await nextTurn();
    let lastId: number | undefined = 0;
    while (!this.task.isStopping && lastId !== undefined) {
      lastId = await this.expireAudiences(lastId);
      await nextTurn();
    }
  }

  /** Older events are not needed. UNIX milliseconds. */
  private async keptSince(): Promise<number> {
    const nowMs = this.clock.nowMs();
    const needed = Math.min(nowMs, await this.claims.neededSince()) - ALWAYS_KEPT_MS;
    return Math.max(nowMs - this.retentionMs, needed);
  }

  /**
   * The newest row always stays: it records the current event number.
   * @returns whether there may be more to delete
   */
  private async expireEvents(before: number): Promise<boolean> {
    const oldest = await this.database.read.query<{ number: number; created_at: number }>(
      'SELECT number, created_at FROM event_log ORDER BY number LIMIT ?',
      [ROWS_PER_STEP + 1],
    );
    const isYoung = (row: { created_at: number }) => row.created_at >= before;
    const kept = oldest.findIndex(isYoung);
    const due = oldest.slice(0, kept === -1 ? -1 : kept).at(-1);
    if (due === undefined) return false;
    await this.transactions.run((tx) => tx.query('DELETE FROM event_log WHERE number <= ?', [due.number]));
    return oldest.length > ROWS_PER_STEP;
  }

  /**
   * Checks the next audiences after an ID.
   * @returns the last ID checked, or undefined at the end
   */
  private async expireAudiences(afterId: number): Promise<number | undefined> {
    const usedBefore = this.clock.nowMs() - UNUSED_AUDIENCE_KEPT_MS;
    const rows = await this.database.read.query<{ id: number; last_used_at: number }>(
      'SELECT id, last_used_at FROM audience WHERE id > ? ORDER BY id LIMIT ?',
      [afterId, ROWS_PER_STEP],
    );
    const unused = rows.filter((row) => row.last_used_at < usedBefore).map((row) => row.id);
    if (unused.length > 0) {
      await this.transactions.run((tx) =>
        tx.query(
          `DELETE FROM audience WHERE id IN (?) AND last_used_at < ?
           AND NOT EXISTS (SELECT 1 FROM event_log WHERE event_log.audience_id = audience.id)`,
          [unused, usedBefore],
        ),
      );
    }
    return rows.at(-1)?.id;
  }
}
