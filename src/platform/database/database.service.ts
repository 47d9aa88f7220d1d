import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DataSource } from 'typeorm';
import { DatabaseUnavailable } from './database.errors';
import { postgresDataSource, sqliteDataSource } from './data-source.options';
import {
  DEFAULT_WRITE_LIMITS,
  type DatabaseOptions,
  type PostgresOptions,
  type SqliteOptions,
  type WriteLimits,
} from './database.options';
import { CommittedReads, type Engine, type Queryable } from './queryable';
import { RunnerQueryable } from './runner-queryable';
import { type SqliteDriver, loadSqliteDriver } from './sqlite-driver';
import { SqliteOwnerLock } from './sqlite-owner-lock';

/** Nodes that start at the same time migrate one after the other. */
const MIGRATION_LOCK = 7_275_271;

interface Parts {
  readonly engine: Engine;
  readonly driver: SqliteDriver['name'] | 'pg';
  readonly read: Queryable;
  readonly writeSource: DataSource;
  readonly close: () => Promise<void>;
}

/**
 * The open database. Features read through {@link read} and write through `TransactionService`; nothing
 * else opens a connection.
 */
export class Database extends CommittedReads {
  readonly engine: Engine;
  /** The driver in use; on SQLite it depends on what could be installed. */
  readonly driver: SqliteDriver['name'] | 'pg';
  readonly read: Queryable;
  readonly limits: WriteLimits;
  /** For `TransactionService` only. */
  readonly writeSource: DataSource;
  private readonly closeParts: () => Promise<void>;

  private constructor(parts: Parts, limits: Partial<WriteLimits> = {}) {
    super();
    this.engine = parts.engine;
    this.driver = parts.driver;
    this.read = parts.read;
    this.writeSource = parts.writeSource;
    this.closeParts = parts.close;
    this.limits = { ...DEFAULT_WRITE_LIMITS, ...limits };
  }

  /**
   * Connects and brings the tables up to date.
   * @throws {DatabaseInUse} when another process has the SQLite file
   * @throws {DatabaseUnavailable} when there is no driver or no server
   */
  static async open(options: DatabaseOptions): Promise<Database> {
    const parts = options.engine === 'sqlite' ? await openSqlite(options) : await openPostgres(options);
    return new Database(parts, options.limits);
  }

  /** To be called after the last write was answered. */
  close(): Promise<void> {
    return this.closeParts();
  }
}

async function openSqlite(options: SqliteOptions): Promise<Parts> {
  const driver = loadSqliteDriver(options.driver);
  await mkdir(dirname(options.file), { recursive: true });
  const lock = SqliteOwnerLock.acquire(driver, options.file);
  const writeSource = new DataSource(sqliteDataSource(options, driver, 'write'));
  const readSource = new DataSource(sqliteDataSource(options, driver, 'read'));
  const close = async () => {
    // The writer closes last, since that empties the write-ahead log into the file.
    if (readSource.isInitialized) await readSource.destroy();
    if (writeSource.isInitialized) await writeSource.destroy();
    lock.release();
  };
  try {
    await writeSource.initialize();
    await writeSource.runMigrations({ transaction: 'each' });
    await readSource.initialize();
  } catch (error) {
    await close();
    throw error;
  }
  const read = new RunnerQueryable('sqlite', readSource, readSource.createQueryRunner());
  return { engine: 'sqlite', driver: driver.name, read, writeSource, close };
}

async function openPostgres(options: PostgresOptions): Promise<Parts> {
  await migratePostgres(options);
  const writeSource = new DataSource(postgresDataSource(options, 'write'));
  const readSource = new DataSource(postgresDataSource(options, 'read'));
  const close = async () => {
    if (readSource.isInitialized) await readSource.destroy();
    if (writeSource.isInitialized) await writeSource.destroy();
  };
  try {
    await writeSource.initialize();
    await readSource.initialize();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    engine: 'postgres',
    driver: 'pg',
    read: new RunnerQueryable('postgres', readSource),
    writeSource,
    close,
  };
}

async function migratePostgres(options: PostgresOptions): Promise<void> {
  const source = new DataSource(postgresDataSource(options, 'migrate'));
  try {
    await source.initialize();
  } catch (error) {
    throw new DatabaseUnavailable('PostgreSQL cannot be reached under DATABASE_URL.', error);
  }
  try {
    const runner = source.createQueryRunner();
    // Held by this connection until it closes.
    await runner.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    await source.runMigrations({ transaction: 'each' });
    await runner.release();
  } finally {
    await source.destroy();
  }
}
