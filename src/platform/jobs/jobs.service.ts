import { randomUUID } from 'node:crypto';
import { setTimeout as patience } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  Global,
  Module,
} from '@nestjs/common';
import { Clock } from '../clock';
import { Config } from '../config/config';
import { Database } from '../database/database.service';
import { type Transaction, TransactionService } from '../database/transaction.service';
import { ProcessPurpose } from '../lifecycle/periodic-task';
import type { SqlRunner } from '../sql/queryable';
import { Metrics } from '../metrics/metrics';
import { Traces } from '../traces/traces';
import { type JobHandler, type JobKind, type NewJob, readQuarantine } from './job';
import { JobStore, LEASE_MS } from './job-store';
import { JobWorker, POLL_MS, type WorkerParts } from './job-worker';

/** How long a pause waits for running jobs. */
const PAUSING_MS = 10_000;

/**
 * Follow-up work of changes, immediate or scheduled. A job is a row, written in the transaction of the change, and one
 * node leases it; if that node dies, another one takes it. So no job is lost, and work happens twice only if a node
 * dies after the work and before its end is stored.
 */
@Injectable()
export class Jobs implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Jobs');
  private readonly workers = new Map<string, JobWorker>();
  private readonly store: JobStore;
  private readonly parts: WorkerParts;
  private readonly timers: NodeJS.Timeout[] = [];
  private isRunning = false;
  private quarantine: string | null = null;

  constructor(
    private readonly database: Database,
    transactions: TransactionService,
    private readonly clock: Clock,
    metrics: Metrics,
    private readonly config: Config,
    private readonly purpose: ProcessPurpose,
    traces: Traces,
  ) {
    this.store = new JobStore(database, transactions, clock, randomUUID());
    this.parts = {
      store: this.store,
      clock,
      traces,
      done: metrics.counter('parley_jobs_done_total', 'Jobs that succeeded.', ['kind']),
      failed: metrics.counter('parley_jobs_failed_total', 'Jobs that failed permanently.', ['kind']),
    };
    metrics.gaugesBy(
      'kind',
      {
        parley_jobs_waiting: 'Jobs that are not done yet, those included that are due later.',
        parley_jobs_oldest_seconds: 'How long ago the oldest of them was due.',
      },
      () => this.figures(),
    );
  }

  /**
   * Registers the handler of a kind of job. Call this in constructors.
   * @throws Error if the kind already has a handler, which is a bug
   */
  handle<Data>(kind: JobKind<Data>, handler: JobHandler<Data>): void {
    if (this.workers.has(kind.name)) throw new Error(`Duplicate handler for jobs of kind ${kind.name}.`);
    this.workers.set(kind.name, new JobWorker(kind.name, handler, this.parts));
    for (const counter of [this.parts.done, this.parts.failed]) counter.inc({ kind: kind.name }, 0);
  }

  /**
   * Enqueues a job in the transaction of the change that causes it. It replaces a job of the same kind, group and key;
   * if that one is running, the new one runs after it.
   * @returns its ID
   */
  async enqueue<Data>(tx: Transaction, job: NewJob<Data>): Promise<number> {
    const id = await this.store.insert(tx, job);
    tx.afterCommit(() => this.wake(job.kind));
    return id;
  }

  /** Enqueues a job at the end of the transaction, which costs no round trip; nothing in it may look for the job. */
  enqueueAtEnd<Data>(tx: Transaction, job: NewJob<Data>): void {
    this.store.insertAtEnd(tx, job);
    tx.afterCommit(() => this.wake(job.kind));
  }

  /**
   * Removes jobs with these keys, in any group. The signal of a running one is aborted a moment later.
   * @returns the number of removed jobs
   */
  cancel(tx: Transaction, kind: JobKind<unknown>, keys: readonly string[]): Promise<number> {
    return this.store.cancel(tx, kind.name, keys);
  }

  /**
   * Resolves once this node has finished a job, or immediately if it is at its limit, or another node leased the job.
   */
  async ended(kind: JobKind<unknown>, id: number): Promise<void> {
    this.wake(kind);
    await this.workers.get(kind.name)?.ended(id);
  }

  /** Runs due jobs. Resolves once every job that this node started has ended. */
  async runDue(...kinds: JobKind<unknown>[]): Promise<void> {
    const names = kinds.map(({ name }) => name);
    const workers = [...this.workers.values()].filter(
      ({ kind }) => names.length === 0 || names.includes(kind),
    );
    if (this.isRunning) for (const worker of workers) worker.wake();
    await Promise.all(workers.map((worker) => worker.idle()));
  }

  /**
   * Takes no more jobs for a while, and resolves once the running ones have ended: while writes are paused, their
   * results could not be stored, and they would run again. Does not wait for one that takes too long.
   * @returns a function that resumes jobs
   */
  async pause(): Promise<() => void> {
    const workers = [...this.workers.values()];
    for (const worker of workers) worker.pause();
    await Promise.race([
      Promise.all(workers.map((worker) => worker.idle())),
      patience(PAUSING_MS, undefined, { ref: false }),
    ]);
    return () => workers.forEach((worker) => worker.goOn());
  }

  /** Why nothing may leave the machine, see {@link readQuarantine}; null without a quarantine. */
  get quarantineReason(): string | null {
    return this.quarantine;
  }

  /** Number of due jobs of these kinds that are not done yet. */
  countDue(kinds: readonly JobKind<unknown>[]): Promise<number> {
    return this.store.countDue(
      this.database.read,
      kinds.map(({ name }) => name),
    );
  }

  /** Number of jobs that would send something to other machines. */
  countLeaving(db: SqlRunner): Promise<number> {
    return this.store.count(db, this.leavingKinds());
  }

  /** Deletes them. */
  dropLeaving(tx: Transaction): Promise<void> {
    return this.store.drop(tx, this.leavingKinds());
  }

  /** Releases jobs that were held back by the quarantine. Other nodes notice by themselves. */
  endQuarantine(): void {
    this.quarantine = null;
    for (const worker of this.workers.values()) worker.release();
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.purpose.isServer) return;
    this.quarantine = await readQuarantine(this.database.read);
    if (this.quarantine !== null) {
      for (const worker of this.workers.values()) if (worker.leavesMachine) worker.detain();
      this.logger.warn(
        `No mail, webhook or answer leaves this machine, because ${this.quarantine}. "parley quarantine lift" ends that.`,
      );
    }
    // Only this process uses the database file, so the owner of any lease in it is gone.
    if (this.store.engine === 'sqlite') await this.store.endLeases();
    this.isRunning = true;
    const wakeAll = () => {
      if (this.quarantine !== null) void this.checkQuarantine();
      this.workers.forEach((worker) => worker.wake());
    };
    this.clock.onMoved(() => this.runDue());
    this.timers.push(setInterval(wakeAll, POLL_MS).unref());
    this.timers.push(
      setInterval(() => this.workers.forEach((worker) => void this.renew(worker)), LEASE_MS / 3).unref(),
    );
    wakeAll();
  }

  /** Gives running work some time to end, and ends the leases of the rest. */
  async onModuleDestroy(): Promise<void> {
    this.isRunning = false;
    const workers = [...this.workers.values()];
    await Promise.all(workers.map((worker) => worker.stopTaking()));
    const interrupt = () => workers.forEach((worker) => worker.interruptAll());
    const timer = setTimeout(interrupt, this.config.shutdownTimeoutSeconds * 1000);
    await Promise.all(workers.map((worker) => worker.idle()));
    clearTimeout(timer);
    for (const timer of this.timers) clearInterval(timer);
  }

  /** Another node, or a command, may have ended it. */
  private async checkQuarantine(): Promise<void> {
    const reason = await readQuarantine(this.database.read).catch(() => this.quarantine);
    if (reason === null) this.endQuarantine();
  }

  private leavingKinds(): string[] {
    return [...this.workers.values()].filter((worker) => worker.leavesMachine).map(({ kind }) => kind);
  }

  private wake(kind: JobKind<unknown>): void {
    if (this.isRunning) this.workers.get(kind.name)?.wake();
  }

  private async renew(worker: JobWorker): Promise<void> {
    await worker.renew().catch((error: unknown) => this.logger.error(error));
  }

  private async figures() {
    const rows = new Map((await this.store.figures()).map((row) => [row.kind, row]));
    const now = this.clock.nowMs();
    return new Map(
      [...new Set([...this.workers.keys(), ...rows.keys()])].map((kind) => {
        const { waiting = 0, oldestDueAt = now } = rows.get(kind) ?? {};
        return [
          kind,
          {
            parley_jobs_waiting: Number(waiting),
            parley_jobs_oldest_seconds: Math.max(0, now - oldestDueAt) / 1000,
          },
        ];
      }),
    );
  }
}

/** Provides jobs to all modules. */
@Global()
@Module({ providers: [Jobs], exports: [Jobs] })
export class JobsModule {}
