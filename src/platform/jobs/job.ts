import { readState, writeState } from '../database/server-state';
import type { Transaction } from '../database/transaction.service';
import type { SqlRunner } from '../sql/queryable';

/** Carries the type of a job's data; no value has this key. */
declare const signature: unique symbol;

/** A kind of job. Searching for its name finds the code that enqueues it and the handler. */
export interface JobKind<Data> {
  readonly name: string;
  readonly [signature]?: Data;
}

/**
 * Declares a kind of job, in the feature that handles it.
 * @param name never changes, because rows contain it; it is also the label of metrics
 */
export function defineJob<Data>(name: string): JobKind<Data> {
  return { name };
}

/** A job to be enqueued. */
export interface NewJob<Data> {
  readonly kind: JobKind<Data>;
  /** What the handler needs to know; stored as JSON. */
  readonly data: Data;
  /**
   * What the job is about, by which it can be cancelled. There is at most one job for each kind, group and key: a new
   * one replaces the old one.
   */
  readonly key?: string;
  /** Jobs that a handler may run in order, or only a few at once, such as those for one receiver. */
  readonly group?: string;
  /** UNIX milliseconds; at once if omitted. */
  readonly dueAt?: number;
}

/** A job that this node has leased. */
export interface RunningJob<Data> {
  readonly id: number;
  readonly key: string | null;
  readonly group: string;
  readonly data: Data;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /** Aborted when the time is up, the server stops, or the job is cancelled or lost to another node. */
  readonly signal: AbortSignal;

  /**
   * Removes the job in the transaction of its result, so that both happen or neither. If the work does not call this,
   * the job is removed after it.
   * @returns false if the job was cancelled, replaced or lost: then the work must not change anything
   */
  complete(tx: Transaction): Promise<boolean>;

  /**
   * Stores the progress of the work for the next attempt.
   * @returns false if the job was cancelled, replaced or lost
   */
  save(data: Data): Promise<boolean>;
}

/** When a failed job is tried again. */
export interface RetryPolicy {
  /** How long to wait after each attempt; there is one attempt more than there are delays. */
  readonly delaysMs: readonly number[];
  /** The last delay repeats until this long after the job was due. */
  readonly forMs?: number;
}

/** How jobs of a kind are run. */
export interface JobHandler<Data> {
  /**
   * Does the work. In rare cases it happens twice: when a node dies after the work and before the job is removed. An
   * error that it throws makes the attempt fail; work that ends early throws `job.signal.reason`.
   */
  work(job: RunningJob<Data>): Promise<void>;
  /** Called once when the last attempt failed, before the job is removed. */
  failed?(job: RunningJob<Data>, error: unknown): Promise<void>;
  readonly retry: RetryPolicy;
  /** How long an attempt may take before its signal is aborted. */
  readonly timeoutMs: number;
  /** How many one node runs at once; one if omitted. */
  readonly concurrency?: number;
  /** How many of one group at once; as many as `concurrency` allows if omitted. */
  readonly groupConcurrency?: number;
  /** Whether jobs of a group run one after the other, in the order in which they were enqueued, on any node. */
  readonly orderedByGroup?: boolean;
  /**
   * Whether the signal is aborted as soon as the server stops, because the work proceeds in steps; otherwise it gets
   * some time.
   */
  readonly stopsAtOnce?: boolean;
  /** Whether the work sends something to other machines, which a restored copy must not do before its operator lets it. */
  readonly leavesMachine?: boolean;
}

/** Thrown by work that would only fail again: the job is not retried. */
export class UnrecoverableError extends Error {}

/** The reason with which the signal of a job is aborted. */
export class JobInterrupted extends Error {
  constructor(override readonly cause: 'timeout' | 'stop' | 'lost') {
    super({ timeout: 'it took too long', stop: 'the server stops', lost: 'it is no longer ours' }[cause]);
  }
}

/**
 * A restored database still has the mails, calls and answers that the original was about to send. So nothing of it leaves
 * the machine until its operator has said that this is the one to go on with.
 */
const STATE_KEY = 'quarantine';

/** What is stored while there is no quarantine, where there was one. */
const LIFTED = '';

/** Why nothing leaves the machine; null where everything may. */
export async function readQuarantine(db: SqlRunner): Promise<string | null> {
  return (await readState(db, STATE_KEY)) || null;
}

/** Takes effect with the next start. @param reason completes the sentence "... because ..." */
export async function beginQuarantine(tx: SqlRunner, reason: string): Promise<void> {
  await writeState(tx, STATE_KEY, reason);
}

/** Nodes notice by themselves, some seconds later. */
export async function endQuarantine(tx: SqlRunner): Promise<void> {
  await writeState(tx, STATE_KEY, LIFTED);
}
