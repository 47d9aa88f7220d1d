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
 * The only way to write. The work gets the open transaction as its argument; what it resolves to is handed
 * on once the commit has happened, and when it rejects, nothing of it is stored. Slow things (hashing,
 * rendering, files, network) belong before it.
 */
@Injectable()
export class TransactionService implements OnApplicationShutdown {
  private readonly unit: UnitOfWork;
  private readonly writer: Writer;
  private readonly waits: ReturnType<Metrics['durations']>;
  /** What was asked for and not answered yet. */
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

  /** Whether the disk had no room for what was last to be stored. */
  get isDiskFull(): boolean {
    return this.foundDiskFull;
  }

  /** Whether requests that would write are to be refused: writes are paused, or are about to be. */
  get areWritesPaused(): boolean {
    return this.pausing !== 'no';
  }

  /**
   * Stops all writes. Requests are refused at once ({@link areWritesPaused}), work in progress finishes, including its
   * after-commit actions; then every write is refused.
   * @param lastWrites final writes before the pause
   * @returns lets writes through again
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

  /** How many writes wait, and how long. */
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
   * For work that rarely changes what directories hold, and learns so only once it looks.
   * @param isExpected whether it is likely to, which spares the first try
   * @param work may throw {@link NeedsExclusive} where its transaction is not exclusive
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

  /** Waits for a moment without writes, as one write may follow from another. */
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
      // On PostgreSQL it may begin again.
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

  /** Answers the writes it accepted, what their actions write included, then closes the database. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.unanswered);
    await this.writer.close();
    await Promise.allSettled(this.unanswered);
    await this.database.close();
  }
}

/**
 * The log goes on at a multiple of this, beyond every number that a lost event had. Nodes that read differently far agree
 * on it, so that what one of them ended another one does not end again.
 */
const NUMBERS_APART = 1_000_000;

const TRY_AGAIN_MS = 1_000;

/**
 * Has the node go on rightly where PostgreSQL lost commits: numbers of lost events are never given again, the directories
 * are loaded anew, and clients, who know of what is no longer so, have to register again.
 */
@Injectable()
export class LostCommits implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('LostCommits');
  private readonly task = new PeriodicTask('LostCommits', () => this.notes.join());
  private readonly notes = new Rounds(() => this.note());
  /** Up to where numbers belong to the time before; null where nothing is left to be done. */
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

  /** Tried again until it is done: the database may be lost a second time in between. */
  private async note(): Promise<void> {
    const upTo = this.pending;
    if (upTo === null) return;
    await this.directories.loadAll();
    await this.transactions.runExclusive(async (tx) => {
      await tx.query(
        "SELECT setval('event_log_number_seq', ?) FROM event_log_number_seq WHERE last_value < ?",
        [upTo, upTo],
      );
      // Events whose audience was lost are delivered to no one: all clients register anew.
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
