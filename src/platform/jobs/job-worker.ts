import { Logger } from '@nestjs/common';
import type { Clock } from '../clock';
import type { Transaction } from '../database/transaction.service';
import type { Counter } from '../metrics/metrics';
import type { Traces } from '../traces/traces';
import { type JobHandler, JobInterrupted, type RunningJob, UnrecoverableError } from './job';
import { type JobFilter, type JobStore, LEASE_MS, type LeasedJob } from './job-store';

/** Interval at which workers look for jobs on their own: those that other nodes enqueued, and those of dead nodes. */
export const POLL_MS = 5_000;

/** Minimum timer, in case the clock stands still. */
const SHORTEST_WAIT_MS = 20;

/** A node gives up a lease this long before others may take the job. */
const LEASE_MARGIN_MS = 5_000;

/** Dependencies shared by all workers. */
export interface WorkerParts {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly done: Counter<'kind'>;
  readonly failed: Counter<'kind'>;
  readonly traces: Traces;
}

/** Runs jobs of one kind on this node: leases due jobs, up to the limit of concurrent ones. */
export class JobWorker {
  private readonly logger = new Logger('Jobs');
  private readonly runs = new Map<number, Run>();
  private looking: Promise<void> | null = null;
  private shouldLook = false;
  private isStopping = false;
  private isPaused = false;
  private isDetained = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly kind: string,
    private readonly handler: JobHandler<unknown>,
    private readonly parts: WorkerParts,
  ) {}

  /** Looks for due jobs soon. */
  wake(): void {
    if (this.mayNotTake) return;
    this.shouldLook = true;
    this.looking ??= this.look()
      .catch((error: unknown) => this.logger.error(error))
      .finally(() => {
        this.looking = null;
        if (this.shouldLook) this.wake();
      });
  }

  /** Resolves once no lookup and no job is in progress. */
  async idle(): Promise<void> {
    while (this.looking || this.runs.size > 0) {
      await this.looking;
      await Promise.all([...this.runs.values()].map(({ ended }) => ended));
    }
  }

  /** Resolves once this node has finished a job, or immediately if it has not started it. */
  async ended(id: number): Promise<void> {
    while (this.looking) await this.looking;
    await this.runs.get(id)?.ended;
  }

  /** Renews the leases of running jobs, and aborts those that were canceled or taken by another node. */
  async renew(): Promise<void> {
    const running = [...this.runs.values()].filter((run) => run.needsLease);
    if (running.length === 0) return;
    const since = performance.now();
    try {
      const renewed = await this.parts.store.renew(running.map(({ id }) => id));
      for (const run of running) {
        if (renewed.has(run.id)) run.leasedSince = since;
        else if (run.needsLease) run.interrupt('lost');
      }
    } finally {
      const oldest = performance.now() - LEASE_MS + LEASE_MARGIN_MS;
      for (const run of running) if (run.leasedSince < oldest && run.needsLease) run.interrupt('lost');
    }
  }

  /** Takes no more jobs until resumed; running ones may finish. */
  pause(): void {
    this.isPaused = true;
  }

  goOn(): void {
    this.isPaused = false;
    this.wake();
  }

  get leavesMachine(): boolean {
    return this.handler.leavesMachine === true;
  }

  /** Takes no jobs until the quarantine ends, even if resumed. */
  detain(): void {
    this.isDetained = true;
  }

  release(): void {
    this.isDetained = false;
    this.wake();
  }

  private get mayNotTake(): boolean {
    return this.isStopping || this.isPaused || this.isDetained;
  }

  /** Takes no more jobs. Running work may finish, except that a kind with `stopsAtOnce` is aborted. */
  async stopTaking(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.looking;
    if (this.handler.stopsAtOnce) this.interruptAll();
  }

  interruptAll(): void {
    for (const run of this.runs.values()) run.interrupt('stop');
  }

  private async look(): Promise<void> {
    while (this.shouldLook && !this.mayNotTake) {
      this.shouldLook = false;
      clearTimeout(this.timer);
      const places = this.freeSlots();
      if (places.free <= 0) return;
      const filter = this.filter(places);
      const waitMs = await this.parts.store.soonest(filter);
      if (waitMs === null) continue;
      if (waitMs > 0) {
        this.wakeIn(waitMs);
        continue;
      }
      const since = performance.now();
      const taken = await this.parts.store.take(filter, ({ group }) => places.take(group));
      for (const job of taken) this.begin(job, since);
      this.shouldLook ||= taken.length > 0;
    }
  }

  /** The clock may change, so the timer is never long. */
  private wakeIn(ms: number): void {
    if (ms < POLL_MS) this.timer = setTimeout(() => this.wake(), Math.max(ms, SHORTEST_WAIT_MS)).unref();
  }

  private freeSlots(): Places {
    const { concurrency = 1, groupConcurrency = concurrency, orderedByGroup = false } = this.handler;
    const places = new Places(concurrency, orderedByGroup ? 1 : groupConcurrency);
    for (const { group } of this.runs.values()) places.take(group);
    return places;
  }

  private filter(places: Places): JobFilter {
    return {
      kind: this.kind,
      isOrdered: this.handler.orderedByGroup ?? false,
      exceptGroups: places.fullGroups(),
      exceptIds: [...this.runs.keys()],
      longestRetryMs: Math.max(0, ...this.handler.retry.delaysMs),
    };
  }

  private begin(job: LeasedJob, since: number): void {
    const run = new Run(job, this.parts.store, since);
    this.runs.set(job.id, run);
    run.ended = this.perform(run)
      .catch((error: unknown) => this.logger.error(error))
      .finally(() => {
        this.runs.delete(job.id);
        this.wake();
      });
  }

  private async perform(run: Run): Promise<void> {
    const timer = setTimeout(() => run.interrupt('timeout'), this.handler.timeoutMs).unref();
    try {
      const { tracer } = this.parts.traces;
      const work = () => this.handler.work(run);
      await (tracer ? tracer.root(`job ${this.kind}`, { 'parley.attempt': run.attempt }, work) : work());
    } catch (error) {
      return this.fail(run, error);
    } finally {
      clearTimeout(timer);
    }
    await run.finish();
    this.parts.done.inc({ kind: this.kind });
  }

  private async fail(run: Run, error: unknown): Promise<void> {
    const { store, failed } = this.parts;
    if (run.interruption === 'stop') return store.release(run.job);
    if (run.interruption === 'lost') return;
    const delayMs = error instanceof UnrecoverableError ? null : this.delayBeforeNext(run);
    if (delayMs !== null) return store.retry(run.job, delayMs, messageOf(error));
    this.logger.warn(`Job ${run.id} (${this.kind}) failed permanently: ${messageOf(error)}`);
    await this.handler.failed?.(run, error);
    await run.finish();
    failed.inc({ kind: this.kind });
  }

  /** Null after the last attempt. */
  private delayBeforeNext({ attempt, job: { dueAt } }: Run): number | null {
    const { delaysMs, forMs } = this.handler.retry;
    const delayMs = delaysMs[attempt - 1] ?? (forMs === undefined ? undefined : delaysMs.at(-1));
    if (delayMs === undefined) return null;
    const isTooLate = forMs !== undefined && this.parts.clock.nowMs() + delayMs > dueAt + forMs;
    return isTooLate ? null : delayMs;
  }
}

/** Counts the free places for jobs, per group and in total. */
class Places {
  private readonly left = new Map<string, number>();

  constructor(
    public free: number,
    private readonly perGroup: number,
  ) {}

  /** @returns false if there is no place */
  take(group: string): boolean {
    const left = this.left.get(group) ?? this.perGroup;
    if (left <= 0 || this.free <= 0) return false;
    this.left.set(group, left - 1);
    this.free -= 1;
    return true;
  }

  fullGroups(): string[] {
    return [...this.left].filter(([, left]) => left <= 0).map(([group]) => group);
  }
}

/** A job that runs on this node. */
class Run implements RunningJob<unknown> {
  ended: Promise<void> = Promise.resolve();
  interruption: JobInterrupted['cause'] | null = null;
  private readonly abort = new AbortController();
  private isComplete = false;
  readonly data: unknown;

  /** @param leasedSince when the lease started or was renewed, on a monotonic clock */
  constructor(
    readonly job: LeasedJob,
    private readonly store: JobStore,
    public leasedSince: number,
  ) {
    this.data = JSON.parse(job.data);
  }

  get id(): number {
    return this.job.id;
  }

  get key(): string | null {
    return this.job.key;
  }

  get group(): string {
    return this.job.group;
  }

  get attempt(): number {
    return this.job.attempts;
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** Work that ignores its signal keeps its place here, but not its lease. */
  get needsLease(): boolean {
    return !this.isComplete && this.interruption !== 'timeout' && this.interruption !== 'lost';
  }

  interrupt(cause: JobInterrupted['cause']): void {
    this.interruption ??= cause;
    this.abort.abort(new JobInterrupted(cause));
  }

  async complete(tx: Transaction): Promise<boolean> {
    const isRemoved = await this.store.remove(tx, this.job);
    if (isRemoved) tx.afterCommit(() => void (this.isComplete = true));
    return isRemoved;
  }

  save(data: unknown): Promise<boolean> {
    return this.store.save(this.job, data);
  }

  async finish(): Promise<void> {
    if (!this.isComplete) await this.store.finish(this.job);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
