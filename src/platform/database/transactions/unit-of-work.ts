import { Logger } from '@nestjs/common';
import type { EntityManager, QueryRunner } from 'typeorm';
import { answerWithin } from '../../clock';
import type { Audience } from '../../events/audience';
import type { Directories, DirectoryChange, DirectoryName } from '../../events/directories';
import type { WakeUp } from '../../events/event-log-reader';
import type { EventLogWriter, LogRows } from '../../events/event-log.service';
import type { Emission, EmitOptions, ServerEvent } from '../../events/server-event';
import type { Engine, Queryable, SqlValue, Statement } from '../../sql/queryable';
import { followsFailure, isConflict, TransactionMisused, TransactionTimedOut } from '../database.errors';
import type { Database } from '../database.service';
import { interceptQueries, RunnerQueryable, type SendStatement } from '../query-runner';

/**
 * An open transaction, passed to the work. Its statements run in the order of the calls, and each must be awaited. On
 * PostgreSQL, statements issued together, as in `Promise.all`, share a round trip. A failed statement dooms the whole
 * transaction, even if the error is caught: use `ON CONFLICT` to handle duplicates.
 */
export interface Transaction extends Queryable {
  /** Whether it was opened by `runExclusive` and so may change directories. */
  readonly isExclusive: boolean;

  /**
   * Runs a statement at the end of the work, together with the event rows, whose round trip it shares. For statements
   * whose results and effects the work does not need.
   */
  atEnd(sql: string, parameters: readonly SqlValue[]): void;

  /** Writes an event to the log at the end of this transaction. There is no other way to emit a durable one. */
  emit(event: ServerEvent, audience: Audience, options?: EmitOptions): void;

  /**
   * Declares which entries of a directory this transaction changes; every node reloads them after the commit. In
   * `runExclusive` only.
   */
  touch(directory: DirectoryName, ids: readonly number[]): void;

  /**
   * Adds an action for after this transaction is committed and the directories have the change; the only way to act on
   * a commit. Actions run one after the other, in the order added, each once, before the caller gets its answer; other
   * writes continue. None runs after a rollback, or for an attempt that was retried. An action that fails is logged,
   * and affects neither the rest nor the caller. Actions may write, in a separate transaction.
   */
  afterCommit(action: CommitAction): void;
}

/** Work to do after a commit. */
export type CommitAction = () => void | Promise<void>;

/** The work of one transaction. On PostgreSQL it may run more than once, so it must have no other effects. */
export type Work<T> = (tx: Transaction) => Promise<T>;

/** Options of one unit of work. */
export interface WorkOptions {
  /** Time after which an open transaction is rolled back; defaults to the limit of all transactions. Milliseconds. */
  readonly limitMs?: number;
}

/** A requested transaction. */
export interface WriteRequest<T> extends WorkOptions {
  readonly work: Work<T>;
  /** Whether it runs alone in its commit, with up-to-date directories. */
  readonly isExclusive: boolean;
}

/** Work that ran but is not committed yet. */
export interface CompletedWork<T> {
  readonly value: T;
  /** Statements still to run. */
  readonly lastStatements: readonly Statement[];
  /** Events still to be written, last of all. */
  readonly log: LogRows;
  readonly change: DirectoryChange | null;
  /** Actions for after the commit. */
  readonly commitActions: readonly CommitAction[];
}

/** Load of the write queue. */
export interface WriteLoad {
  /** Writes accepted but not answered yet. */
  readonly waiting: number;
  /** How long the oldest of them has waited. Milliseconds. */
  readonly longestWaitMs: number;
}

/** Executes writes on one engine. */
export interface Writer {
  readonly load: WriteLoad;

  /**
   * Resolves once the work is committed and the directories show it.
   * @throws {ServerBusy} when too many wait
   */
  submit<T>(write: WriteRequest<T>): Promise<CompletedWork<T>>;

  /** Refuses further writes and waits until the accepted ones are answered. */
  close(): Promise<void>;
}

/** A connection with an open transaction. */
export interface OpenConnection {
  /** For entity repositories. */
  readonly runner: QueryRunner;
  readonly send: SendStatement;
  /** Called after a failed statement: some errors end an SQLite transaction. */
  readonly isTransactionOpen: () => boolean;
}

/**
 * Guards the connection during one piece of work. Refuses statements once the work is over, so that a forgotten `await`
 * cannot write into another transaction, and remembers the first failed statement: PostgreSQL stores nothing after one,
 * so neither does SQLite.
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

  /** The error of the first failed statement. */
  get failure(): unknown {
    return this.firstFailure?.error;
  }

  /** @throws {TransactionMisused} once the work is over */
  assertOpen(): void {
    if (this.isOver) throw new TransactionMisused('The transaction has ended.');
  }

  /**
   * Ends the work and waits for running statements.
   * @throws the first failure, or {@link TransactionMisused} when a statement was not awaited
   */
  async finish(): Promise<void> {
    const hasForgotten = this.running.size > 0;
    await this.abandon();
    if (this.firstFailure) throw this.firstFailure.error;
    if (hasForgotten) throw new TransactionMisused('A statement of the transaction was not awaited.');
  }

  /** Ends the work, ignoring failures. */
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

/** The parts of a transaction common to both engines: around the work, and after the commit. */
export class UnitOfWork {
  private readonly logger = new Logger('Transactions');

  constructor(
    private readonly database: Database,
    private readonly log: EventLogWriter,
    private readonly directories: Directories,
    private readonly wakeUp: WakeUp,
  ) {}

  /** Runs the work on a connection with an open transaction. */
  async perform<T>(write: WriteRequest<T>, connection: OpenConnection): Promise<CompletedWork<T>> {
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
   * Call it after a commit, with all work in it. Does not throw: committed work stays committed.
   * @param db a connection without an open transaction
   */
  async committed(stored: readonly CompletedWork<unknown>[], db: Queryable): Promise<void> {
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

  /** Runs the after-commit actions, while other writes continue. Does not reject: committed work stays committed. */
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
      // The work may have replaced a retryable error with its own. With pipelined statements, it may see one that
      // failed only because another had.
      throw isConflict(guard.failure) || followsFailure(error) ? (guard.failure ?? error) : error;
    }
    await guard.finish();
    return value;
  }
}
