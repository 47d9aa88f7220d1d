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

/** Options of one unit of work. */
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
