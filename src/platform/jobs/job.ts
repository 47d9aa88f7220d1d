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
 * @param name must never change, because it is stored in rows; also the label of metrics
 */
export function defineJob<Data>(name: string): JobKind<Data> {
  return { name };
}

/** A job to be enqueued. */
export interface NewJob<Data> {
  readonly kind: JobKind<Data>;
  /** Input of the handler; stored as JSON. */
  readonly data: Data;
  /**
   * Identifies the subject of the job, for cancellation. There is at most one job for each kind, group and key: a new
   * one replaces the old one.
   */
  readonly key?: string;
  /** Group of jobs that a handler may run in order, or only a few at a time, such as those for one receiver. */
  readonly group?: string;
  /** UNIX milliseconds; immediately if omitted. */
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
  /** Aborted on timeout, when the server stops, or when the job is canceled or lost to another node. */
  readonly signal: AbortSignal;

  /**
   * Removes the job in the transaction of its result, so that both happen or neither does. If the work does not call
   * this, the job is removed after it.
   * @returns false if the job was canceled, replaced or lost: then the work must not change anything
   */
  complete(tx: Transaction): Promise<boolean>;

  /**
   * Stores the progress of the work for the next attempt.
   * @returns false if the job was canceled, replaced or lost
   */
  save(data: Data): Promise<boolean>;
}

/** When a failed job is retried. */
export interface RetryPolicy {
  /** Delays after each attempt; there is one more attempt than there are delays. */
  readonly delaysMs: readonly number[];
  /** The last delay repeats until this long after the job was due. */
  readonly forMs?: number;
}

/** Handles jobs of a kind. */
export interface JobHandler<Data> {
  /**
   * Does the work. It may rarely run twice: when a node dies after the work and before the job is removed. If it
   * throws, the attempt fails; work that is aborted throws `job.signal.reason`.
   */
  work(job: RunningJob<Data>): Promise<void>;
  /** Called once when the last attempt failed, before the job is removed. */
  failed?(job: RunningJob<Data>, error: unknown): Promise<void>;
  readonly retry: RetryPolicy;
  /** Maximum duration of an attempt before its signal is aborted. */
  readonly timeoutMs: number;
  /** Maximum number of concurrent jobs per node; one if omitted. */
  readonly concurrency?: number;
  /** Maximum number of concurrent jobs of one group; `concurrency` if omitted. */
  readonly groupConcurrency?: number;
  /** Whether jobs of a group run one after the other, in the order in which they were enqueued, across all nodes. */
  readonly orderedByGroup?: boolean;
  /**
   * Whether to abort the signal as soon as the server stops, because the work proceeds in steps; otherwise it gets some
   * time.
   */
  readonly stopsAtOnce?: boolean;
  /**
   * Whether the work sends something to other machines, which a restored copy must not do without its operator's
   * consent.
   */
  readonly leavesMachine?: boolean;
}

/** Thrown by work that would fail again: the job is not retried. */
export class UnrecoverableError extends Error {}

/** The abort reason of a job's signal. */
export class JobInterrupted extends Error {
  constructor(override readonly cause: 'timeout' | 'stop' | 'lost') {
    super({ timeout: 'it took too long', stop: 'the server stops', lost: 'it is no longer ours' }[cause]);
  }
}

/**
 * A restored database still contains the mails, calls and answers that the original was about to send. So nothing
 * leaves the machine until its operator confirms that this is the copy to continue with.
 */
const STATE_KEY = 'quarantine';

/** Value after a quarantine was lifted. */
const LIFTED = '';

/** Why nothing may leave the machine; null without a quarantine. */
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
