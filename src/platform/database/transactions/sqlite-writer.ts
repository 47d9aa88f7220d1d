import type { DataSource, QueryRunner } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver';
import type { Database } from '../database.service';
import { declareInTransaction, RunnerQueryable } from '../query-runner';
import type { SqliteConnection } from '../sqlite/sqlite-driver';
import type { UnitOfWork } from './unit-of-work';
import { type CommitScope, WriteQueue } from './write-queue';
import type { WriteRequest, WorkDone, WriteLoad, Writer } from './transaction';

/** Carries out writes on SQLite: one after the other on one connection, sharing commits. */
export class SqliteWriter implements Writer {
  private readonly runner: QueryRunner;
  private readonly scope: SqliteScope;
  private readonly queue: WriteQueue<WorkDone<unknown>>;
  private readonly statements: RunnerQueryable;

  constructor(
    database: Database,
    private readonly unit: UnitOfWork,
  ) {
    const source = database.writeSource;
    this.runner = source.createQueryRunner();
    declareInTransaction(this.runner);
    this.scope = new SqliteScope(connectionOf(source));
    this.statements = new RunnerQueryable('sqlite', source, this.runner);
    // The connection that wrote has in its cache what is read now; the other one has lost all of its own.
    this.queue = new WriteQueue(this.scope, database.limits, (done) => unit.committed(done, this.statements));
  }

  get load(): WriteLoad {
    return this.queue.load;
  }

  async submit<T>(write: WriteRequest<T>): Promise<WorkDone<T>> {
    const done = await this.queue.submit({
      isExclusive: write.isExclusive,
      perform: async () => {
        const performed = await this.unit.perform(write, this.runner, () => this.scope.isOpen());
        for (const { sql, parameters } of performed.log.statements) {
          performed.log.written(await this.statements.query(sql, parameters));
        }
        return performed;
      },
    });
    return done as WorkDone<T>;
  }

  close(): Promise<void> {
    return this.queue.close();
  }
}

function connectionOf(source: DataSource): SqliteConnection {
  return (source.driver as BetterSqlite3Driver).databaseConnection as SqliteConnection;
}

/** The transaction statements, prepared once and sent past TypeORM, which would add its own bookkeeping. */
class SqliteScope implements CommitScope {
  constructor(private readonly connection: SqliteConnection) {}

  isOpen(): boolean {
    return this.connection.inTransaction;
  }

  // Takes the write lock at once; a transaction that starts reading may be refused it later.
  readonly begin = this.prepared('BEGIN IMMEDIATE');
  readonly commit = this.prepared('COMMIT');
  readonly rollback = this.prepared('ROLLBACK');
  readonly enterSavepoint = this.prepared('SAVEPOINT write');
  readonly leaveSavepoint = this.prepared('RELEASE write');

  private readonly rollBackToSavepoint = this.prepared('ROLLBACK TO write');

  undoSavepoint(): void {
    this.rollBackToSavepoint();
    this.leaveSavepoint();
  }

  private prepared(sql: string): () => void {
    const statement = this.connection.prepare(sql);
    return () => void statement.run();
  }
}
