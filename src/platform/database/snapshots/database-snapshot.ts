import type { QueryRunner } from 'typeorm';
import { ServerBusy } from '../../errors/request.errors';
import { SnapshotEnded } from '../database.errors';
import type { DatabaseLimits } from '../database.options';
import { interceptQueries, RunnerQueryable, throughRunner } from '../query-runner';
import type { Engine, Queryable } from '../../sql/queryable';

/** One consistent view of the database, as it was at one moment. Close it as soon as it is read. */
export interface DatabaseSnapshot {
  readonly db: Queryable;
  /** Every event up to this number is in the view, and none after it is. */
  readonly eventNumber: number;
  /** Version of the directories in the view, to compare with `Directories.version`. */
  readonly directoryVersion: number;

  /** May be called again. */
  close(): Promise<void>;
}

/** A view as an engine opened it. */
export interface OpenView {
  readonly runner: QueryRunner;
  readonly eventNumber: number;
  readonly directoryVersion: number;

  /** Gives the connection back. Does not reject. */
  end(): Promise<void>;
}

/** How an engine opens views. */
export interface ViewOpener {
  open(): Promise<OpenView>;
}

interface Caller {
  readonly admit: () => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * Limits the number of open snapshots; further requests queue. A snapshot held for too long is ended: it keeps a
 * connection, and the database keeps every old row for it.
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

  /** Ends all snapshots, and refuses queued requests. */
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

  /** The next request in the queue gets the place. */
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

  /** @param onEnd once the connection is free again */
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
