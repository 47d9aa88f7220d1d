import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { OFFLINE_AFTER_SECONDS, PresenceDirectory, type PresenceRecord } from './presence.directory';
import { Presence } from './presence.entity';
import { Clock } from '../../../platform/clock';
import { chunksOf } from '../../../platform/collections';
import { lostCommitsNoted, rowsPutBack, writesEnding } from '../../../platform/database/database.hooks';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { entityRows } from '../../../platform/sql/entity-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import { personalDataRemoved } from '../../users/users.module';

/** A crash loses the changes of this time, and other nodes see them with this delay. */
const INTERVAL_MS = 15_000;

/** How far back a node reads changes of others: clocks differ, and a batch takes time. */
const OVERLAP_MS = 60_000;

const ROWS_PER_STATEMENT = 500;

/** SQL for the greater of a column and the value to write; NULL counts as the smallest. */
function later(column: string): string {
  return `CASE WHEN excluded.${column} > COALESCE(presence.${column}, 0)
    THEN excluded.${column} ELSE presence.${column} END`;
}

/** Periodically writes changes of presence to the database, and reads changes of other nodes. */
@Injectable()
export class PresenceStoreService implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Presence');
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private caughtUpAt = 0;
  private lastSeenId = 0;

  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly directory: PresenceDirectory,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(Presence).delete({ userId });
      this.directory.forget(userId);
    });
    hooks.on(writesEnding, () => this.flush());
    hooks.on(rowsPutBack, (tx) => tx.afterCommit(() => this.readAnew()));
    hooks.on(lostCommitsNoted, (tx) => tx.afterCommit(() => this.readAnew()));
  }

  async onModuleInit(): Promise<void> {
    await this.readSince(this.database.read, 0);
  }

  private async readAnew(): Promise<void> {
    this.directory.forgetAll();
    await this.readSince(this.database.read, 0);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), INTERVAL_MS).unref();
  }

  /** Runs before the connections close. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /**
   * Must be called before presence is shown. With SQLite there is only one process, so it does nothing; otherwise it
   * reads the table, at most once per interval.
   */
  async catchUp(db: Queryable): Promise<void> {
    if (db.engine === 'sqlite') return;
    const now = this.clock.nowMs();
    if (now - this.caughtUpAt < INTERVAL_MS) return;
    this.caughtUpAt = now;
    await this.readSince(db, this.lastSeenId - OVERLAP_MS);
  }

  /** How far this node may be behind what a client received from another node, in milliseconds. */
  get lag(): number {
    return this.database.engine === 'sqlite' ? 0 : 2 * INTERVAL_MS;
  }

  /** Writes the changes since the last time. Never throws: failed writes are retried later. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  private async write(): Promise<void> {
    const records = this.directory.takeUnwritten();
    if (records.length === 0) return;
    // Sorted, so that nodes that write concurrently wait for each other instead of deadlocking.
    records.sort((a, b) => a.userId - b.userId);
    try {
      for (const some of chunksOf(records, ROWS_PER_STATEMENT)) await this.upsert(some);
    } catch (error) {
      this.directory.giveBack(records);
      this.logger.error(error);
    }
  }

  /** Another node may have written a newer value, and the person may have been deleted. */
  private async upsert(records: readonly PresenceRecord[]): Promise<void> {
    await this.transactions.run(async (tx) => {
      const rows = records
        .filter(({ userId }) => this.directory.byId(userId) !== undefined)
        .map(({ userId, activeAt, connectedAt, updateId }) => [userId, activeAt, connectedAt, updateId]);
      if (rows.length === 0) return;
      await tx.query(
        `INSERT INTO presence (user_id, active_at, connected_at, update_id)
         VALUES ${rows.map(() => '(?, ?, ?, ?)').join(', ')}
         ON CONFLICT (user_id) DO UPDATE SET
           active_at = ${later('active_at')}, connected_at = ${later('connected_at')},
           update_id = ${later('update_id')}`,
        rows.flat(),
      );
    });
  }

  private async readSince(db: Queryable, updateId: number): Promise<void> {
    const rows = await entityRows(db, Presence, 'WHERE update_id > ? ORDER BY update_id', [updateId]);
    this.directory.merge(rows);
    this.lastSeenId = rows.at(-1)?.updateId ?? this.lastSeenId;
  }
}

/** Determines when users were last active in any client. */
@Injectable()
export class LastActivityService {
  constructor(
    private readonly directory: PresenceDirectory,
    private readonly store: PresenceStoreService,
    private readonly clock: Clock,
  ) {}

  /** UNIX seconds; null for users who were never active or who hide it. */
  async of(db: Queryable, userId: number): Promise<number | null> {
    await this.store.catchUp(db);
    return this.directory.byId(userId)?.activeAt ?? null;
  }

  /** UNIX seconds at which a user who is active now counts as away; null for users who are away. */
  async offlineAt(db: Queryable, userId: number): Promise<number | null> {
    const activeAt = await this.of(db, userId);
    if (activeAt === null) return null;
    const offlineAt = activeAt + OFFLINE_AFTER_SECONDS;
    return offlineAt > this.clock.nowSeconds() ? offlineAt : null;
  }
}
