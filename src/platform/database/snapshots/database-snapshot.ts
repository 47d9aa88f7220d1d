import type { DataSource, QueryRunner } from 'typeorm';
import { ServerBusy } from '../../errors/request.errors';
import { SETTLE_LOG_AND_LOCK } from '../../events/event-log.service';
import type { Engine, Queryable } from '../../sql/queryable';
import { SnapshotEnded } from '../database.errors';
import type { DatabaseLimits } from '../database.options';
import { connect, sendTogether } from '../postgres/postgres-client';
import { declareInTransaction, interceptQueries, RunnerQueryable, throughRunner } from '../query-runner';
import { type SqliteReadThread, threadRunner } from '../sqlite/sqlite-read-thread';

/** One consistent view of the database as of one moment. Close it as soon as possible. */
export interface DatabaseSnapshot {
  readonly db: Queryable;
  /** The view contains every event up to this number, and none after it. */
  readonly eventNumber: number;
  /** Version of the directories in the view, to compare with `Directories.version`. */
  readonly directoryVersion: number;

  /** Idempotent. */
  close(): Promise<void>;
}

/** A view opened by an engine. */
interface OpenView {
  readonly runner: QueryRunner;
  readonly eventNumber: number;
  readonly directoryVersion: number;

  /** Returns the connection. Does not reject. */
  end(): Promise<void>;
}

/** Opens views on one engine. */
export interface ViewOpener {
  open(): Promise<OpenView>;
}

interface Caller {
  readonly admit: () => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * Limits the number of open snapshots; further requests queue. A snapshot held too long is ended: it occupies a
 * connection, and the database retains every old row for it.
 */
export class SnapshotLine {
  private readonly opened = new Set<OpenSnapshot>();
  private readonly waiting: Caller[] = [];
  private taken = 0;
  private isClosed = false;

  constructor(
    private readonly engine: Engine,
    private readonly views: ViewOpener,
    private readonly limits: Pick<DatabaseLimits, 'maxSnapshots' | 'maxSnapshotMs' | 'maxWaiting'>,
  ) {}

  /** @throws {ServerBusy} when too many wait, or the database closes */
  async open(): Promise<DatabaseSnapshot> {
    await this.enter();
    let view: OpenView;
    try {
      view = await this.views.open();
    } catch (error) {
      this.leave();
      throw error;
    }
    const held = new OpenSnapshot(this.engine, view, this.limits.maxSnapshotMs, () => {
      this.opened.delete(held);
      this.leave();
    });
    this.opened.add(held);
    if (this.isClosed) await held.close();
    return held;
  }

  /** Ends all snapshots and refuses queued requests. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const caller of this.waiting.splice(0)) caller.refuse(new ServerBusy());
    await Promise.all([...this.opened].map((held) => held.close()));
  }

  private async enter(): Promise<void> {
    if (this.isClosed || this.waiting.length >= this.limits.maxWaiting) throw new ServerBusy();
    if (this.taken < this.limits.maxSnapshots) {
      this.taken++;
      return;
    }
    await new Promise<void>((admit, refuse) => this.waiting.push({ admit, refuse }));
  }

  /** Hands the place to the next request in the queue. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next) next.admit();
    else this.taken--;
  }
}

class OpenSnapshot implements DatabaseSnapshot {
  readonly db: Queryable;
  readonly eventNumber: number;
  readonly directoryVersion: number;
  private readonly timer: NodeJS.Timeout;
  private ended: Promise<void> | undefined;
  private reason = 'It was closed.';

  /** @param onEnd called once the connection is free again */
  constructor(
    engine: Engine,
    private readonly view: OpenView,
    limitMs: number,
    private readonly onEnd: () => void,
  ) {
    const { runner } = view;
    const guarded = interceptQueries(runner, async (text, values, isStructured) => {
      if (this.ended) throw new SnapshotEnded(this.reason);
      return runner.query(text, values, isStructured as true);
    });
    this.db = new RunnerQueryable(engine, guarded, throughRunner(guarded));
    this.eventNumber = view.eventNumber;
    this.directoryVersion = view.directoryVersion;
    this.timer = setTimeout(() => {
      this.reason = `It was still open after ${limitMs} ms.`;
      void this.close();
    }, limitMs).unref();
  }

  close(): Promise<void> {
    clearTimeout(this.timer);
    this.ended ??= this.view.end().finally(this.onEnd);
    return this.ended;
  }
}

/** The first statement of the transaction, so it also opens the view. */
const POSITION = `
  SELECT (SELECT COALESCE(MAX(number), 0) FROM event_log) AS "eventNumber", version AS "directoryVersion"
  FROM directory_version WHERE id = 1`;

interface Position {
  readonly eventNumber: number;
  readonly directoryVersion: number;
}

/**
 * Views on PostgreSQL: read-only transactions. A view opens while no event number is uncommitted
 * (docs/decisions/0003-event-numbers.md), so the highest one in it is its exact position.
 */
export class PostgresViews implements ViewOpener {
  constructor(
    private readonly writeSource: DataSource,
    private readonly readSource: DataSource,
    private readonly begin: string,
  ) {}

  async open(): Promise<OpenView> {
    const runner = this.readSource.createQueryRunner();
    try {
      // Before the lock, because connecting may take a while.
      const client = await connect(runner);
      const [position] = await this.whileSettled(() =>
        sendTogether<Position>(client, [this.begin, POSITION]),
      );
      declareInTransaction(runner);
      const end = async () => {
        // If the connection is gone, so is the view.
        await client.query('ROLLBACK').catch(() => undefined);
        await runner.release();
      };
      return { runner, ...(position as Position), end };
    } catch (error) {
      await runner.query('ROLLBACK').catch(() => undefined);
      await runner.release();
      throw error;
    }
  }

  /** Runs the work while no event number is uncommitted. */
  private async whileSettled<T>(work: () => Promise<T>): Promise<T> {
    const runner = this.writeSource.createQueryRunner();
    try {
      const client = await connect(runner);
      try {
        await sendTogether(client, SETTLE_LOG_AND_LOCK);
        return await work();
      } finally {
        // Commits, or rolls back what failed.
        await client.query('COMMIT');
      }
    } finally {
      await runner.release();
    }
  }
}

/** Snapshots on SQLite: read transactions, each on its own connection, in one shared thread. */
export class SqliteViews implements ViewOpener {
  /** Connections without an open view. */
  private readonly free: number[] = [];
  private slots = 0;

  constructor(
    private readonly thread: SqliteReadThread,
    private readonly source: DataSource,
  ) {}

  async open(): Promise<OpenView> {
    // If this thread ends, so does the view: a new one does not have the transaction.
    const running = this.thread.running();
    const slot = this.free.pop() ?? this.slots++;
    const end = async () => {
      const isFree = await running.query(slot, 'ROLLBACK').then(
        () => true,
        () => running.hasEnded,
      );
      if (isFree) this.free.push(slot);
    };
    try {
      await running.query(slot, 'BEGIN');
      const [position] = await running.query(slot, POSITION);
      const runner = threadRunner(this.source, (text, values) => running.query(slot, text, values));
      return { runner, ...(position as Position), end };
    } catch (error) {
      await end();
      throw error;
    }
  }
}
