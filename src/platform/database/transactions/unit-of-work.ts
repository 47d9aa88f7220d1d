import { Logger } from '@nestjs/common';
import type { DataSource, QueryRunner } from 'typeorm';
import { answerWithin } from '../../clock';
import type { Audience } from '../../events/audience';
import type { Directories, DirectoryName } from '../../events/directories';
import type { EventLogWriter } from '../../events/event-log.service';
import type { Emission, EmitOptions, ServerEvent } from '../../events/server-event';
import type { WakeUp } from '../../events/wake-up';
import { RunnerQueryable, interceptQueries } from '../query-runner';
import type { Engine, Queryable } from '../../sql/queryable';
import { TransactionMisused, TransactionTimedOut, isConflict } from '../database.errors';
import type { Database } from '../database.service';
import type { CommitAction, WriteRequest, Transaction, WorkDone } from './transaction';

/**
 * Stands between one piece of work and the connection it runs on, which others use afterwards. It lets
 * nothing through once the work is over, so that a forgotten `await` cannot write into somebody else's
 * transaction, and remembers the first failed statement: PostgreSQL stores nothing after one, so
 * neither does SQLite.
 */
class StatementGuard {
  /** Behaves as the connection itself, entity repositories included. */
  readonly runner: QueryRunner;
  private readonly running = new Set<Promise<unknown>>();
  private isOver = false;
  private firstFailure: { readonly error: unknown } | undefined;

  /** @param isTransactionOpen asked after a failed statement: some errors end a SQLite transaction */
  constructor(
    private readonly inner: QueryRunner,
    private readonly isTransactionOpen: () => boolean,
  ) {
    this.runner = interceptQueries(inner, (text, values, isStructured) =>
      this.query(text, values, isStructured),
    );
  }

  /** What the first failed statement failed with. */
  get failure(): unknown {
    return this.firstFailure?.error;
  }

  /** @throws {TransactionMisused} once the work is over */
  assertOpen(): void {
    if (this.isOver) throw new TransactionMisused('The transaction is over.');
  }

  /**
   * Ends the work and waits for what still runs.
   * @throws the first failure, or {@link TransactionMisused} when a statement was not awaited
   */
  async finish(): Promise<void> {
    const hasForgotten = this.running.size > 0;
    await this.abandon();
    if (this.firstFailure) throw this.firstFailure.error;
    if (hasForgotten) throw new TransactionMisused('A statement of the transaction was not awaited.');
  }

  /** Ends the work without asking how it went. */
  async abandon(): Promise<void> {
    this.isOver = true;
    await Promise.allSettled(this.running);
  }

  private async query(text: string, parameters?: unknown[], structured?: boolean): Promise<unknown> {
    this.assertOpen();
    const statement = this.inner.query(text, parameters, structured as true);
    this.running.add(statement);
    try {
      return await statement;
    } catch (error) {
      this.firstFailure ??= { error };
      if (!this.isTransactionOpen()) this.isOver = true;
      throw error;
    } finally {
      this.running.delete(statement);
    }
  }
}

/** A {@link Transaction} that keeps what is to be written at its end. */
class OpenTransaction extends RunnerQueryable implements Transaction {
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

/** What happens in every transaction, whatever the engine: around the work, and after the commit. */
export class UnitOfWork {
  private readonly logger = new Logger('Transactions');

  constructor(
    private readonly database: Database,
    private readonly log: EventLogWriter,
    private readonly directories: Directories,
    private readonly wakeUp: WakeUp,
  ) {}

  /**
   * Runs the work on a connection with an open transaction.
   * @param isOpen whether the transaction survived a failed statement
   */
  async perform<T>(write: WriteRequest<T>, runner: QueryRunner, isOpen: () => boolean): Promise<WorkDone<T>> {
    const { engine, writeSource } = this.database;
    const guard = new StatementGuard(runner, isOpen);
    const tx = new OpenTransaction(engine, writeSource, guard, write.isExclusive);
    const value = await this.runWork(write, tx, guard);
    const db = new RunnerQueryable(engine, writeSource, runner);
    const change = tx.touched.size > 0 ? await this.directories.recordChange(db, tx.touched) : null;
    const emissions = change ? [change.emission, ...tx.emissions] : tx.emissions;
    const log = await this.log.prepare(db, emissions);
    return { value, log, change, commitActions: tx.commitActions };
  }

  /**
   * To be called after a commit, with all that it holds. Does not throw: what is stored is stored.
   * @param db a connection on which nothing is open
   */
  async committed(stored: readonly WorkDone<unknown>[], db: Queryable): Promise<void> {
    let lastNumber = 0;
    try {
      for (const { log, change } of stored) {
        this.log.committed(log);
        lastNumber = Math.max(lastNumber, log.lastNumber);
        if (change) await this.directories.applyCommitted(db, change, log.lastNumber);
      }
      if (lastNumber > 0) this.wakeUp.announce(lastNumber);
    } catch (error) {
      this.logger.error(error);
    }
  }

  /**
   * Does what the work left for after the commit, while other writes go on. Does not reject: what is stored is
   * stored.
   */
  async act(actions: readonly CommitAction[]): Promise<void> {
    for (const action of actions) {
      try {
        await action();
      } catch (error) {
        this.logger.error(error);
      }
    }
  }

  private async runWork<T>(write: WriteRequest<T>, tx: OpenTransaction, guard: StatementGuard): Promise<T> {
    let value: T;
    try {
      if (write.isExclusive) await this.directories.beginExclusive(tx);
      const limitMs = write.limitMs ?? this.database.limits.maxTransactionMs;
      value = await answerWithin(limitMs, write.work(tx), () => new TransactionTimedOut(limitMs));
    } catch (error) {
      await guard.abandon();
      // The work may have put an error of its own in the place of one that is worth a retry.
      throw isConflict(guard.failure) ? guard.failure : error;
    }
    await guard.finish();
    return value;
  }
}
