import { Logger } from '@nestjs/common';
import type { EntityManager, QueryRunner } from 'typeorm';
import { answerWithin } from '../../clock';
import type { Audience } from '../../events/audience';
import type { Directories, DirectoryName } from '../../events/directories';
import type { EventLogWriter } from '../../events/event-log.service';
import type { Emission, EmitOptions, ServerEvent } from '../../events/server-event';
import type { WakeUp } from '../../events/event-log-reader';
import { RunnerQueryable, type SendStatement, interceptQueries } from '../query-runner';
import type { Engine, Queryable, SqlValue, Statement } from '../../sql/queryable';
import { TransactionMisused, TransactionTimedOut, followsFailure, isConflict } from '../database.errors';
import type { Database } from '../database.service';
import type { CommitAction, WriteRequest, Transaction, WorkDone } from './transaction';

/** A connection on which a transaction is open. */
export interface OpenConnection {
  /** For entity repositories. */
  readonly runner: QueryRunner;
  readonly send: SendStatement;
  /** Asked after a failed statement: some errors end a SQLite transaction. */
  readonly isTransactionOpen: () => boolean;
}

/**
 * Guards the connection of one piece of work, which others use afterwards. Refuses statements once the work is over, so
 * that a forgotten `await` cannot write into another transaction, and remembers the first failed statement: PostgreSQL
 * stores nothing after one, so neither does SQLite.
 */
class StatementGuard {
  private guarded: QueryRunner | undefined;
  private readonly running = new Set<Promise<unknown>>();
  private isOver = false;
  private firstFailure: { readonly error: unknown } | undefined;

  constructor(private readonly connection: OpenConnection) {}

  /** For entity repositories, which few transactions use. */
  get manager(): EntityManager {
    const { runner } = this.connection;
    this.guarded ??= interceptQueries(runner, (text, values, isStructured) =>
      this.watch(() => runner.query(text, values, isStructured as true)),
    );
    return this.guarded.manager;
  }

  /** What the first failed statement failed with. */
  get failure(): unknown {
    return this.firstFailure?.error;
  }

  /** @throws {TransactionMisused} once the work is over */
  assertOpen(): void {
    if (this.isOver) throw new TransactionMisused('The transaction has ended.');
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

  send(text: string, values: unknown[]): Promise<object[]> {
    return this.watch(() => this.connection.send(text, values));
  }

  private async watch<T>(send: () => Promise<T>): Promise<T> {
    this.assertOpen();
    const statement = send();
    this.running.add(statement);
    try {
      return await statement;
    } catch (error) {
      this.firstFailure ??= { error };
      if (!this.connection.isTransactionOpen()) this.isOver = true;
      throw error;
    } finally {
      this.running.delete(statement);
    }
  }
}

/** A {@link Transaction} that collects writes for its end. */
class OpenTransaction extends RunnerQueryable implements Transaction {
  readonly emissions: Emission[] = [];
  readonly touched = new Map<DirectoryName, Set<number>>();
  readonly commitActions: CommitAction[] = [];
  readonly lastStatements: Statement[] = [];

  constructor(
    engine: Engine,
    private readonly guard: StatementGuard,
    readonly isExclusive: boolean,
  ) {
    super(engine, guard, (text, values) => guard.send(text, values));
  }

  atEnd(sql: string, parameters: readonly SqlValue[]): void {
    this.guard.assertOpen();
    this.lastStatements.push({ sql, parameters });
  }

  emit(event: ServerEvent, audience: Audience, options: EmitOptions = {}): void {
    this.guard.assertOpen();
    this.emissions.push({ event, audience, options });
  }

  touch(directory: DirectoryName, ids: readonly number[]): void {
    this.guard.assertOpen();
    if (!this.isExclusive)
      throw new TransactionMisused('Only runExclusive may change data held in directories.');
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

  /** Runs the work on a connection with an open transaction. */
  async perform<T>(write: WriteRequest<T>, connection: OpenConnection): Promise<WorkDone<T>> {
    const { engine } = this.database;
    const guard = new StatementGuard(connection);
    const tx = new OpenTransaction(engine, guard, write.isExclusive);
    const value = await this.runWork(write, tx, guard);
    const db = new RunnerQueryable(engine, connection.runner, connection.send);
    const change = tx.touched.size > 0 ? await this.directories.recordChange(db, tx.touched) : null;
    const emissions = change ? [change.emission, ...tx.emissions] : tx.emissions;
    const log = await this.log.prepare(db, emissions);
    const { lastStatements, commitActions } = tx;
    return { value, lastStatements, log, change, commitActions };
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
      // The work may have replaced a retryable error with its own. And of pipelined statements, it may see one that
      // failed only because another had.
      throw isConflict(guard.failure) || followsFailure(error) ? (guard.failure ?? error) : error;
    }
    await guard.finish();
    return value;
  }
}
