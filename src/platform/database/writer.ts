import type { LogRows } from '../events/event-log-writer';
import type { DirectoryChange } from '../events/directories';
import type { CommitAction, Transaction } from './transaction';

/** What is done in one transaction. On PostgreSQL it may run more than once, so it changes nothing else. */
export type Work<T> = (tx: Transaction) => Promise<T>;

/** What is particular to a piece of work. */
export interface WorkOptions {
  /** Rolled back when it is still open after this long; by default, the limit of all transactions. Milliseconds. */
  readonly limitMs?: number;
}

/** A transaction that is asked for. */
export interface Job<T> extends WorkOptions {
  readonly work: Work<T>;
  /** Alone in its commit, with the directories up to date when it starts. */
  readonly isExclusive: boolean;
}

/** Work that ran and is not committed yet. */
export interface WorkDone<T> {
  readonly value: T;
  /** Still to be written, last of all. */
  readonly log: LogRows;
  readonly change: DirectoryChange | null;
  /** What it left for after the commit. */
  readonly commitActions: readonly CommitAction[];
}

/** How busy the writing side is. */
export interface WriteLoad {
  /** Writes accepted and not yet answered. */
  readonly waiting: number;
  /** How long the oldest of them has been here. Milliseconds. */
  readonly longestWaitMs: number;
}

/** The way of one engine to carry out writes. */
export interface Writer {
  readonly load: WriteLoad;

  /**
   * Resolves once the work is committed and the directories show it.
   * @throws {ServerBusy} when too many wait
   */
  submit<T>(job: Job<T>): Promise<WorkDone<T>>;

  /** Refuses further writes, and waits until those accepted are answered. */
  close(): Promise<void>;
}
