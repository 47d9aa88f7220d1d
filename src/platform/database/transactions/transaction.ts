import type { Audience } from '../../events/audience';
import type { EmitOptions, ServerEvent } from '../../events/server-event';
import type { DirectoryChange, DirectoryName } from '../../events/directories';
import type { Queryable, SqlValue, Statement } from '../../sql/queryable';
import type { LogRows } from '../../events/event-log.service';

/**
 * An open transaction, handed to the work that it is open for. Its statements run in the order in which they are
 * handed in, and each has to be awaited. On PostgreSQL those that are handed in together, as in `Promise.all`, share
 * a round trip. A statement that fails dooms the whole transaction, also where the error is caught: `ON CONFLICT` is
 * the way to expect a duplicate.
 */
export interface Transaction extends Queryable {
  /** Whether it was opened by `runExclusive`, and so may change what directories hold. */
  readonly isExclusive: boolean;

  /**
   * Has a statement run at the end of the work, before the event rows, whose round trip it shares. For what gives nothing
   * back that the work needs, and what nothing in it reads.
   */
  atEnd(sql: string, parameters: readonly SqlValue[]): void;

  /** Writes an event into the log at the end of this transaction. There is no other way to emit a durable one. */
  emit(event: ServerEvent, audience: Audience, options?: EmitOptions): void;

  /**
   * Says which things of a directory this transaction changes; they are reloaded after the commit, on every
   * node. In `runExclusive` only.
   */
  touch(directory: DirectoryName, ids: readonly number[]): void;

  /**
   * Adds an action for after this transaction is committed and the directories have the change; the only way to act on
   * a commit. Actions run one after the other, in the order added, each once, before the caller gets its answer; other
   * writes continue. None runs after a rollback, or for an attempt that PostgreSQL had repeated. An action that fails
   * is logged, and affects neither the rest nor the caller. Actions may write, in a separate transaction.
   */
  afterCommit(action: CommitAction): void;
}

/** What is left to do after a commit. */
export type CommitAction = () => void | Promise<void>;

/** What is done in one transaction. On PostgreSQL it may run more than once, so it changes nothing else. */
export type Work<T> = (tx: Transaction) => Promise<T>;

/** What is particular to a piece of work. */
export interface WorkOptions {
  /** Rolled back when it is still open after this long; by default, the limit of all transactions. Milliseconds. */
  readonly limitMs?: number;
}

/** A transaction that is asked for. */
export interface WriteRequest<T> extends WorkOptions {
  readonly work: Work<T>;
  /** Alone in its commit, with the directories up to date when it starts. */
  readonly isExclusive: boolean;
}

/** Work that ran and is not committed yet. */
export interface WorkDone<T> {
  readonly value: T;
  /** Still to be run. */
  readonly lastStatements: readonly Statement[];
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
  submit<T>(write: WriteRequest<T>): Promise<WorkDone<T>>;

  /** Refuses further writes, and waits until those accepted are answered. */
  close(): Promise<void>;
}
