import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import type { Engine } from '../src/platform/sql/queryable';
import { BenchDatabase } from './bench-database';
import { type Account, readZuliprc } from './comparison';
import type { FillDatabase } from './fill';
import { ServerProcess } from './server-process';

const top = join(__dirname, '..');

/** An organization with its own data folder and database. */
export abstract class BenchOrganization {
  protected constructor(readonly dataDir: string) {}

  static async create(engine: Engine): Promise<BenchOrganization> {
    if (engine === 'postgres') return BenchOrganization.inDatabase(await BenchDatabase.create());
    return new SqliteOrganization(mkdtempSync(join(tmpdir(), 'parley-bench-')));
  }

  static async inDatabase(database: BenchDatabase): Promise<BenchOrganization> {
    return new PostgresOrganization(mkdtempSync(join(tmpdir(), 'parley-bench-')), database);
  }

  /** The owner, once a server has run. */
  get owner(): Account {
    return readZuliprc(join(this.dataDir, 'zuliprc'));
  }

  /** @param more settings */
  serve(port: number, more: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    const env = {
      DATA_DIR: this.dataDir,
      PORT: String(port),
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
      ...this.settings(),
      ...more,
    };
    return ServerProcess.start([join(top, 'dist/main.js')], env, port, '/health/live');
  }

  /** A copy, while no server runs. The owner has the same key in both. */
  async copy(name: string): Promise<BenchOrganization> {
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
    cpSync(this.dataDir, dataDir, { recursive: true });
    return this.copyInto(dataDir, name);
  }

  async drop(): Promise<void> {
    rmSync(this.dataDir, { recursive: true });
  }

  /** Gives the work access to the database while no server runs. */
  abstract reach<T>(work: (db: FillDatabase) => Promise<T>): Promise<T>;

  /** CPU time used by the database so far, outside the server. */
  abstract databaseMicroseconds(): Promise<number>;

  protected abstract settings(): Readonly<Record<string, string>>;

  protected abstract copyInto(dataDir: string, name: string): Promise<BenchOrganization>;
}

class SqliteOrganization extends BenchOrganization {
  constructor(dataDir: string) {
    super(dataDir);
  }

  override async reach<T>(work: (db: FillDatabase) => Promise<T>): Promise<T> {
    const db = new Database(join(this.dataDir, 'parley.db'));
    try {
      db.pragma('synchronous = OFF');
      return await work({
        engine: 'sqlite',
        async run(sql) {
          const statement = db.prepare<[], object>(sql);
          if (statement.reader) return statement.all();
          statement.run();
          return [];
        },
      });
    } finally {
      db.close();
    }
  }

  /** SQLite runs inside the server. */
  override async databaseMicroseconds(): Promise<number> {
    return 0;
  }

  protected override settings() {
    return {};
  }

  protected override async copyInto(dataDir: string): Promise<BenchOrganization> {
    return new SqliteOrganization(dataDir);
  }
}

/** Connections per server: several run at once, and PostgreSQL allows a hundred in total. */
const POOL_SIZE = 8;

class PostgresOrganization extends BenchOrganization {
  constructor(
    dataDir: string,
    private readonly database: BenchDatabase,
  ) {
    super(dataDir);
  }

  override async reach<T>(work: (db: FillDatabase) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: this.database.url });
    await client.connect();
    try {
      const run = async (sql: string) => (await client.query<object>(sql)).rows;
      return await work({ engine: 'postgres', run });
    } finally {
      await client.end();
    }
  }

  override databaseMicroseconds(): Promise<number> {
    return this.database.cpuMicroseconds();
  }

  override async drop(): Promise<void> {
    await this.database.drop();
    await super.drop();
  }

  protected override settings() {
    return { DATABASE_URL: this.database.url, DATABASE_POOL_SIZE: String(POOL_SIZE) };
  }

  protected override async copyInto(dataDir: string, name: string): Promise<BenchOrganization> {
    return new PostgresOrganization(dataDir, await this.database.copy(name));
  }
}
