import type { Transaction } from '../database/transaction.service';

/** Carries the type of a job's data; no value has it. */
declare const signature: unique symbol;

/** A kind of job. Searching for its name finds who enqueues it and who handles it. */
export interface JobKind<Data> {
  readonly name: string;
  readonly [signature]?: Data;
}

/**
 * Declares a kind of job, in the feature that handles it.
 * @param name stays for good, as rows hold it; figures have it as their label
 */
export function defineJob<Data>(name: string): JobKind<Data> {
  return { name };
}

/** A job to be enqueued. */
export interface NewJob<Data> {
  readonly kind: JobKind<Data>;
  /** What the handler has to know; stored as JSON. */
  readonly data: Data;
  /**
   * What the job is about, by which it can be cancelled. Of a kind and group there is one job with a key: another one
   * replaces it.
   */
  readonly key?: string;
  /** Jobs that a handler may keep in order, or of which it may run few at once, such as those for one receiver. */
  readonly group?: string;
  /** UNIX milliseconds; at once if not given. */
  readonly dueAt?: number;
}

/** A job that this node has under lease. */
export interface RunningJob<Data> {
  readonly id: number;
  readonly key: string | null;
  readonly group: string;
  readonly data: Data;
  /** How often it was begun, this time included. */
  readonly attempt: number;
  /** Aborted when there is no time left, the server stops, or the job is cancelled or lost to another node. */
  readonly signal: AbortSignal;

  /**
   * Removes the job in the transaction of what it comes to, so that both happen or neither. Where work does not call this,
   * the job is removed after it.
   * @returns false where the job was cancelled, replaced or lost meanwhile: then the work has to change nothing
   */
  complete(tx: Transaction): Promise<boolean>;

  /**
   * Keeps how far the work came, for the next attempt.
   * @returns false where the job was cancelled, replaced or lost meanwhile
   */
  save(data: Data): Promise<boolean>;
}

/** When a job whose work failed is tried again. */
export interface RetryPolicy {
  /** How long to wait after each attempt; there is one attempt more than pauses. */
  readonly delaysMs: readonly number[];
  /** The last pause is repeated until this long after the job was due. */
  readonly forMs?: number;
}

/** How jobs of a kind are carried out. */
export interface JobHandler<Data> {
  /**
   * Does the work. It may happen twice, if rarely: where a node dies after the work and before the job is removed. What it
   * throws makes it fail; `job.signal.reason` is what to throw where it ends early.
   */
  work(job: RunningJob<Data>): Promise<void>;
  /** Called once when the last attempt failed, before the job is removed. */
  failed?(job: RunningJob<Data>, error: unknown): Promise<void>;
  readonly retry: RetryPolicy;
  /** How long an attempt may take before its signal is aborted. */
  readonly timeoutMs: number;
  /** How many one node runs at once; one if not given. */
  readonly concurrency?: number;
  /** How many of one group; as many as there may be at all if not given. */
  readonly groupConcurrency?: number;
  /** Whether jobs of a group run one after the other, in the order in which they were enqueued, on whichever node. */
  readonly orderedByGroup?: boolean;
  /** Whether work ends as soon as the server stops, as it is done in steps; otherwise it has some time. */
  readonly stopsAtOnce?: boolean;
}

/** Thrown by work that would fail again: the job is not retried. */
export class UnrecoverableError extends Error {}

/** Why the signal of a job is aborted. */
export class JobInterrupted extends Error {
  constructor(override readonly cause: 'timeout' | 'stop' | 'lost') {
    super({ timeout: 'it took too long', stop: 'the server stops', lost: 'it is no longer ours' }[cause]);
  }
}
