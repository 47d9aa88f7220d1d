import type { DataSource } from 'typeorm';
import type { Audience } from '../events/audience';
import type { Emission, EmitOptions } from '../events/emission';
import type { ServerEvent } from '../events/server-event';
import type { DirectoryName } from '../events/directories';
import { TransactionMisused } from './database.errors';
import type { Engine, Queryable } from '../sql/queryable';
import { RunnerQueryable } from './runner-queryable';
import type { StatementGuard } from './statement-guard';

/**
 * An open transaction, handed to the work that it is open for. Await its statements one by one. A
 * statement that fails dooms the whole transaction, also where the error is caught: `ON CONFLICT` is the
 * way to expect a duplicate.
 */
export interface Transaction extends Queryable {
  /** Whether it was opened by `runExclusive`, and so may change what directories hold. */
  readonly isExclusive: boolean;

  /** Writes an event into the log at the end of this transaction. There is no other way to emit a durable one. */
  emit(event: ServerEvent, audience: Audience, options?: EmitOptions): void;

  /**
   * Says which things of a directory this transaction changes; they are reloaded after the commit, on every
   * node. In `runExclusive` only.
   */
  touch(directory: DirectoryName, ids: readonly number[]): void;

  /**
   * Adds what is to happen once this transaction is committed and the directories show it; the only way to
   * act on a commit. Actions run one after the other in the order in which they were added, each once, before
   * the caller gets its answer, and other writes go on meanwhile. None runs where the transaction is rolled
   * back, or for an attempt that PostgreSQL had repeated. What is stored is stored: an action that fails is
   * logged, and neither the rest nor the caller hears of it. An action may write, in a transaction of its own.
   */
  afterCommit(action: CommitAction): void;
}

/** What is left to do after a commit. */
export type CommitAction = () => void | Promise<void>;

/** A {@link Transaction} that keeps what is to be written at its end. */
export class OpenTransaction extends RunnerQueryable implements Transaction {
  readonly emissions: Emission[] = [];
  readonly touched = new Map<DirectoryName, Set<number>>();
  readonly commitActions: CommitAction[] = [];

  constructor(
    engine: Engine,
    source: DataSource,
    private readonly guard: StatementGuard,
    readonly isExclusive: boolean,
  ) {
    super(engine, source, guard.runner);
  }

  emit(event: ServerEvent, audience: Audience, options: EmitOptions = {}): void {
    this.guard.assertOpen();
    this.emissions.push({ event, audience, options });
  }

  touch(directory: DirectoryName, ids: readonly number[]): void {
    this.guard.assertOpen();
    if (!this.isExclusive)
      throw new TransactionMisused('Only runExclusive may change what directories hold.');
    const touched = this.touched.get(directory) ?? new Set();
    for (const id of ids) touched.add(id);
    this.touched.set(directory, touched);
  }

  afterCommit(action: CommitAction): void {
    this.guard.assertOpen();
    this.commitActions.push(action);
  }
}
