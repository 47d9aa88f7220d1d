import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver';
import { ServerBusy } from '../../errors/request.errors';
import { CommitFailed } from '../database.errors';
import type { WriteLimits } from '../database.options';
import type { Database } from '../database.service';
import { declareInTransaction, RunnerQueryable, throughRunner } from '../query-runner';
import type { SqliteConnection } from '../sqlite/sqlite-driver';
import type { DatabasePlace } from '../sqlite/sqlite-file';
import type {
  OpenConnection,
  UnitOfWork,
  CompletedWork,
  WriteLoad,
  Writer,
  WriteRequest,
} from './unit-of-work';

/** Executes writes on SQLite: one after the other on one connection, sharing commits. */
export class SqliteWriter implements Writer {
  private readonly runner: QueryRunner;
  private readonly scope: SqliteScope;
  private readonly queue: WriteQueue<CompletedWork<unknown>>;
  private readonly statements: RunnerQueryable;
  private readonly connection: OpenConnection;

  constructor(
    database: Database,
    private readonly unit: UnitOfWork,
  ) {
    const source = database.writeSource;
    this.runner = source.createQueryRunner();
    declareInTransaction(this.runner);
    this.scope = new SqliteScope(connectionOf(source), database.place);
    const send = throughRunner(this.runner);
    this.statements = new RunnerQueryable('sqlite', this.runner, send);
    this.connection = { runner: this.runner, send, isTransactionOpen: () => this.scope.isOpen() };
    // The writing connection has the needed pages in its cache; the commit invalidated the cache of the reading one.
    this.queue = new WriteQueue(this.scope, database.limits, (done) => unit.committed(done, this.statements));
  }

  get load(): WriteLoad {
    return this.queue.load;
  }

  async submit<T>(write: WriteRequest<T>): Promise<CompletedWork<T>> {
    const done = await this.queue.submit({
      isExclusive: write.isExclusive,
      perform: async () => {
        const performed = await this.unit.perform(write, this.connection);
        for (const { sql, parameters } of performed.lastStatements) {
          await this.statements.query(sql, parameters);
        }
        for (const { sql, parameters } of performed.log.statements) {
          performed.log.written(await this.statements.query(sql, parameters));
        }
        return performed;
      },
    });
    return done as CompletedWork<T>;
  }

  close(): Promise<void> {
    return this.queue.close();
  }
}

function connectionOf(source: DataSource): SqliteConnection {
  return (source.driver as BetterSqlite3Driver).databaseConnection as SqliteConnection;
}

/** The transaction statements, prepared once and sent without TypeORM, which would add its own bookkeeping. */
class SqliteScope implements CommitScope {
  constructor(
    private readonly connection: SqliteConnection,
    private readonly place: DatabasePlace,
  ) {}

  isOpen(): boolean {
    return this.connection.inTransaction;
  }

  // Takes the write lock immediately; a transaction that starts by reading may fail to get it later.
  private readonly beginNow = this.prepared('BEGIN IMMEDIATE');
  readonly commit = this.prepared('COMMIT');
  readonly rollback = this.prepared('ROLLBACK');
  readonly enterSavepoint = this.prepared('SAVEPOINT write');
  readonly leaveSavepoint = this.prepared('RELEASE write');

  private readonly rollBackToSavepoint = this.prepared('ROLLBACK TO write');

  begin(): void {
    this.assertLasting();
    this.beginNow();
  }

  undoSavepoint(): void {
    this.rollBackToSavepoint();
    this.leaveSavepoint();
  }

  assertLasting(): void {
    this.place.assertInPlace();
  }

  private prepared(sql: string): () => void {
    const statement = this.connection.prepare(sql);
    return () => void statement.run();
  }
}

/** The statements around the work. All synchronous, like the SQLite drivers. */
interface CommitScope {
  /** False once an error made SQLite roll everything back. */
  isOpen(): boolean;
  /** @throws {DatabaseFileGone} */
  begin(): void;
  commit(): void;
  rollback(): void;
  enterSavepoint(): void;
  leaveSavepoint(): void;
  undoSavepoint(): void;
  /** Throws if committed data would be lost with the process. */
  assertLasting(): void;
}

/** A piece of work in the queue; `Result` is what it contributes to the commit. */
interface QueuedWrite<Result> {
  readonly isExclusive: boolean;
  perform(): Promise<Result>;
}

interface Waiting<Result> {
  readonly write: QueuedWrite<Result>;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome<Result> =
  | { readonly entry: Waiting<Result>; readonly result: Result }
  | { readonly entry: Waiting<Result>; readonly error: unknown };

/**
 * Queue in front of the only connection that writes to a SQLite file. Waiting writes share a commit, each in a separate
 * savepoint, so that they share one fsync. All callers are answered after the commit, including refusals, which may
 * depend on a neighbor's write.
 */
class WriteQueue<Result> {
  private readonly waiting: Waiting<Result>[] = [];
  private inCommit: Waiting<Result>[] = [];
  private running: Promise<void> | undefined;
  private isClosed = false;

  /** @param afterCommit runs before any caller is answered and before the next write starts; must not throw */
  constructor(
    private readonly scope: CommitScope,
    private readonly limits: WriteLimits,
    private readonly afterCommit: (results: Result[]) => Promise<void>,
  ) {}

  get load(): WriteLoad {
    const [oldest = this.waiting[0]] = this.inCommit;
    return {
      waiting: this.inCommit.length + this.waiting.length,
      longestWaitMs: oldest ? performance.now() - oldest.since : 0,
    };
  }

  submit(write: QueuedWrite<Result>): Promise<Result> {
    if (this.isClosed || this.waiting.length >= this.limits.maxWaiting)
      return Promise.reject(new ServerBusy());
    return new Promise((resolve, reject) => {
      this.waiting.push({ write, since: performance.now(), resolve, reject });
      this.running ??= this.workOff();
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.running;
  }

  private async workOff(): Promise<void> {
    while (this.waiting.length > 0) {
      // The drivers never yield to the event loop, so without this pause no second write would ever queue.
      await nextTurn();
      await this.commitNext();
    }
    this.running = undefined;
  }

  private async commitNext(): Promise<void> {
    const outcomes = this.begin() ? await this.performWaiting() : [];
    const stored = this.commit(outcomes);
    const results = stored.flatMap((outcome) => ('result' in outcome ? [outcome.result] : []));
    if (results.length > 0) await this.afterCommit(results);
    this.inCommit = [];
    for (const outcome of this.confirm(stored)) {
      if ('result' in outcome) outcome.entry.resolve(outcome.result);
      else outcome.entry.reject(outcome.error);
    }
  }

  /** If the transaction cannot begin, the write at the head of the queue fails; the next one tries again. */
  private begin(): boolean {
    try {
      this.scope.begin();
      return true;
    } catch (error) {
      this.waiting.shift()?.reject(new CommitFailed(error));
      return false;
    }
  }

  private async performWaiting(): Promise<Outcome<Result>[]> {
    const outcomes: Outcome<Result>[] = [];
    const endsAt = performance.now() + this.limits.maxCommitMs;
    do {
      const entry = this.waiting.shift() as Waiting<Result>;
      this.inCommit.push(entry);
      outcomes.push(await this.perform(entry));
      if (entry.write.isExclusive) break;
    } while (this.mayJoin(outcomes.length) && performance.now() < endsAt);
    return outcomes;
  }

  private mayJoin(count: number): boolean {
    const [next] = this.waiting;
    return (
      next !== undefined &&
      !next.write.isExclusive &&
      count < this.limits.maxWritesPerCommit &&
      this.scope.isOpen()
    );
  }

  private async perform(entry: Waiting<Result>): Promise<Outcome<Result>> {
    try {
      this.scope.enterSavepoint();
      const result = await entry.write.perform();
      this.scope.leaveSavepoint();
      return { entry, result };
    } catch (error) {
      this.undo();
      return { entry, error };
    }
  }

  private undo(): void {
    if (!this.scope.isOpen()) return;
    try {
      this.scope.undoSavepoint();
    } catch {
      // The effects of this write can no longer be separated from the others.
      this.rollback();
    }
  }

  /** @returns the outcomes; if the commit failed, every success becomes a failure */
  private commit(outcomes: Outcome<Result>[]): Outcome<Result>[] {
    const last = outcomes.at(-1);
    if (last === undefined) return [];
    if (!this.scope.isOpen())
      return outcomes.map((outcome) => lost(outcome, 'error' in last ? last.error : undefined));
    try {
      this.scope.commit();
      return outcomes;
    } catch (error) {
      this.rollback();
      return outcomes.map((outcome) => lost(outcome, error));
    }
  }

  /** The file may have disappeared since the transaction began, so it is checked right before the answers. */
  private confirm(stored: Outcome<Result>[]): Outcome<Result>[] {
    try {
      this.scope.assertLasting();
      return stored;
    } catch (error) {
      return stored.map((outcome) => lost(outcome, error));
    }
  }

  private rollback(): void {
    if (this.scope.isOpen()) this.scope.rollback();
  }
}

function lost<Result>(outcome: Outcome<Result>, cause: unknown): Outcome<Result> {
  return 'result' in outcome ? { entry: outcome.entry, error: new CommitFailed(cause) } : outcome;
}
