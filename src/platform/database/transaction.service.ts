import { setTimeout as sleep } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { NeedsExclusive } from './database.errors';
import { commitsLost, lostCommitsNoted } from './database.hooks';
import { Database } from './database.service';
import { PostgresWriter } from './transactions/postgres-writer';
import { SqliteWriter } from './transactions/sqlite-writer';
import {
  UnitOfWork,
  type Work,
  type WorkOptions,
  type WriteLoad,
  type Writer,
  type WriteRequest,
} from './transactions/unit-of-work';
import { isDiskFull } from '../errors/outages';
import { WritesPaused } from '../errors/request.errors';
import { Directories } from '../events/directories';
import { EventLogReader, WakeUp } from '../events/event-log-reader';
import { EventLogWriter } from '../events/event-log.service';
import { Hooks } from '../hooks/hooks';
import { PeriodicTask } from '../lifecycle/periodic-task';
import { Metrics } from '../metrics/metrics';
import { Traces } from '../traces/traces';
import { Rounds } from '../rounds';

export type { Transaction } from './transactions/unit-of-work';

/** How long writes in progress may take before a pause begins, and how often they are checked. */
const DRAINING_MS = 5_000;
const DRAINED_AFTER_MS = 50;

/**
 * The only way to write. The work receives the open transaction. The promise resolves with its result after the commit;
 * if the work rejects, nothing is stored. Do slow things (hashing, rendering, files, network) before it.
 */
@Injectable()
export class TransactionService implements OnApplicationShutdown {
  private readonly unit: UnitOfWork;
  private readonly writer: Writer;
  private readonly waits: ReturnType<Metrics['durations']>;
  /** Requested writes without an answer yet. */
  private readonly unanswered = new Set<Promise<unknown>>();
  private foundDiskFull = false;
  private pausing: 'no' | 'soon' | 'yes' = 'no';

  constructor(
    private readonly database: Database,
    log: EventLogWriter,
    directories: Directories,
    wakeUp: WakeUp,
    metrics: Metrics,
    private readonly traces: Traces,
  ) {
    this.unit = new UnitOfWork(database, log, directories, wakeUp);
    this.writer =
      database.engine === 'sqlite'
        ? new SqliteWriter(database, this.unit)
        : new PostgresWriter(database, this.unit);
    this.waits = metrics.durations('parley_write_wait_seconds', 'How long writes wait before they begin.');
    metrics.gauges(
      {
        parley_write_queue_depth: 'Writes that wait or are being made.',
        parley_write_queue_oldest_seconds: 'How long the oldest of them has been there.',
      },
      async () => ({
        parley_write_queue_depth: this.load.waiting,
        parley_write_queue_oldest_seconds: this.load.longestWaitMs / 1000,
      }),
    );
  }

  /** Whether the disk was full at the last write. */
  get isDiskFull(): boolean {
    return this.foundDiskFull;
  }

  /** Whether to refuse requests that would write: writes are paused, or are about to be. */
  get areWritesPaused(): boolean {
    return this.pausing !== 'no';
  }

  /**
   * Stops all writes. Requests are refused at once ({@link areWritesPaused}), work in progress finishes, including its
   * after-commit actions; then every write is refused.
   * @param lastWrites final writes before the pause
   * @returns a function that resumes writes
   */
  async pauseWrites(lastWrites: () => Promise<unknown>): Promise<() => void> {
    if (this.areWritesPaused) throw new WritesPaused();
    const release = () => void (this.pausing = 'no');
    this.pausing = 'soon';
    try {
      await lastWrites();
      await this.drain();
      this.pausing = 'yes';
      await Promise.allSettled(this.unanswered);
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Number of queued writes, and how long they have waited. */
  get load(): WriteLoad {
    return this.writer.load;
  }

  /**
   * For changes that do not affect directories; many may share one commit.
   * @param options for rare, long work during which others may read
   * @throws {ServerBusy} when too many wait, {@link CommitFailed} when the commit fails
   */
  run<T>(work: Work<T>, options: WorkOptions = {}): Promise<T> {
    return this.answer({ work, isExclusive: false, ...options });
  }

  /**
   * For changes to accounts, groups, organization settings, channels and subscriptions. The directories equal the
   * database when the work starts, no other exclusive work runs on any node, and they contain the change before the
   * promise resolves.
   * @throws {ServerBusy} when too many wait, {@link CommitFailed} when the commit fails
   */
  runExclusive<T>(work: Work<T>, options: WorkOptions = {}): Promise<T> {
    return this.answer({ work, isExclusive: true, ...options });
  }

  /**
   * For work that rarely changes directories and finds out only when it runs.
   * @param isExpected whether a change is likely, which skips the first attempt
   * @param work may throw {@link NeedsExclusive} if its transaction is not exclusive
   * @throws as {@link runExclusive}
   */
  async runUpgradable<T>(isExpected: boolean, work: Work<T>, options: WorkOptions = {}): Promise<T> {
    if (!isExpected) {
      try {
        return await this.run(work, options);
      } catch (error) {
        if (!(error instanceof NeedsExclusive)) throw error;
      }
    }
    return this.runExclusive(work, options);
  }

  /** Waits for a moment without writes, because one write may trigger another. */
  private async drain(): Promise<void> {
    const until = performance.now() + DRAINING_MS;
    for (let isIdle = false; !isIdle && performance.now() < until;) {
      const patience = sleep(until - performance.now(), undefined, { ref: false });
      await Promise.race([Promise.allSettled(this.unanswered), patience]);
      await sleep(DRAINED_AFTER_MS);
      isIdle = this.unanswered.size === 0;
    }
  }

  private async answer<T>(write: WriteRequest<T>): Promise<T> {
    if (this.pausing === 'yes') throw new WritesPaused();
    const { tracer } = this.traces;
    const answered = tracer
      ? tracer.part(
          'transaction',
          { 'db.system.name': this.database.engine, 'parley.exclusive': write.isExclusive },
          () => this.submit(write),
        )
      : this.submit(write);
    this.unanswered.add(answered);
    try {
      return await answered;
    } finally {
      this.unanswered.delete(answered);
    }
  }

  private async submit<T>(write: WriteRequest<T>): Promise<T> {
    const since = performance.now();
    let hasBegun = false;
    const work: Work<T> = (tx) => {
      // On PostgreSQL the work may be retried.
      if (!hasBegun) this.waits.observe((performance.now() - since) / 1000);
      hasBegun = true;
      return write.work(tx);
    };
    try {
      const { value, commitActions } = await this.writer.submit({ ...write, work });
      this.foundDiskFull = false;
      if (commitActions.length > 0) await this.unit.act(commitActions);
      return value;
    } catch (error) {
      if (isDiskFull(error)) this.foundDiskFull = true;
      throw error;
    }
  }

  /** Finishes accepted writes, including those of their after-commit actions, then closes the database. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.unanswered);
    await this.writer.close();
    await Promise.allSettled(this.unanswered);
    await this.database.close();
  }
}

/**
 * The log continues at a multiple of this, above every number of a lost event. All nodes arrive at the same number,
 * however far they had read, so each loss is handled once.
 */
const NUMBERS_APART = 1_000_000;

const TRY_AGAIN_MS = 1_000;

/**
 * Recovers the node after PostgreSQL lost commits: numbers of lost events are never reused, the directories are
 * reloaded, and clients, whose state includes lost changes, have to register again.
 */
@Injectable()
export class LostCommits implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('LostCommits');
  private readonly task = new PeriodicTask('LostCommits', () => this.notes.join());
  private readonly notes = new Rounds(() => this.note());
  /** Upper bound of the event numbers before the loss; null if there is nothing left to do. */
  private pending: number | null = null;

  constructor(
    reader: EventLogReader,
    private readonly directories: Directories,
    private readonly transactions: TransactionService,
    private readonly hooks: Hooks,
  ) {
    reader.onSetBack((position) => this.begin(position));
  }

  onApplicationBootstrap(): void {
    this.task.start(TRY_AGAIN_MS);
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  private begin(position: number): number {
    const upTo = (Math.floor(position / NUMBERS_APART) + 1) * NUMBERS_APART;
    this.pending = Math.max(this.pending ?? 0, upTo);
    this.hooks.ask(commitsLost, upTo);
    this.notes.join().catch((error: unknown) => this.logger.error(error));
    return upTo;
  }

  /** Retried until it succeeds: the database may lose commits again in the meantime. */
  private async note(): Promise<void> {
    const upTo = this.pending;
    if (upTo === null) return;
    await this.directories.loadAll();
    await this.transactions.runExclusive(async (tx) => {
      await tx.query(
        "SELECT setval('event_log_number_seq', ?) FROM event_log_number_seq WHERE last_value < ?",
        [upTo, upTo],
      );
      // Events without an audience reach no one: all clients register again.
      await tx.query(
        `UPDATE event_log SET audience = ''
         WHERE audience IS NULL AND audience_id IS NULL AND number > ?`,
        [upTo - 2 * NUMBERS_APART],
      );
      await this.hooks.run(lostCommitsNoted, tx, upTo);
    });
    if (this.pending === upTo) this.pending = null;
  }
}
