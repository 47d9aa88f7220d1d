import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { loadConfig } from '../../src/platform/config/config';
import {
  type DatabaseOptions,
  databaseOptions,
  type EntityClass,
  type DatabaseLimits,
} from '../../src/platform/database/database.options';
import { loadSqliteDriver } from '../../src/platform/database/sqlite-driver';

/** What a suite can run on. The first two differ in the driver only. */
export type TestEngine = 'better-sqlite3' | 'libsql' | 'postgres';

/** A database of its own for one test file, empty at first. */
export interface TestDatabase {
  readonly engine: TestEngine;
  /** Environment variables that make the server use it. */
  readonly env: Readonly<Record<string, string>>;
  options(entities: readonly EntityClass[], limits?: Partial<DatabaseLimits>): DatabaseOptions;
  /** To be called once it is closed. */
  drop(): Promise<void>;
}

/** A server on which tests may create and drop databases; they touch no others there. */
function postgresServer(): string | undefined {
  const fallback =
    process.env.TEST_ENGINE === 'postgres' ? 'postgres://postgres@127.0.0.1:5432/postgres' : undefined;
  return process.env.TEST_DATABASE_URL || fallback;
}

/** better-sqlite3 is an optional package; a machine on which it could not be installed tests without it. */
function hasBetterSqlite3(): boolean {
  try {
    loadSqliteDriver('better-sqlite3');
    return true;
  } catch {
    return false;
  }
}

/** The SQLite drivers that are installed here, the preferred one first. */
export const sqliteDrivers = hasBetterSqlite3()
  ? (['better-sqlite3', 'libsql'] as const)
  : (['libsql'] as const);

/** The engine that `TEST_ENGINE` (and `TEST_SQLITE_DRIVER`) asks for; SQLite unless it says otherwise. */
function chosenEngine(): TestEngine {
  const wanted = process.env.TEST_ENGINE || 'sqlite';
  const engine = wanted === 'sqlite' ? process.env.TEST_SQLITE_DRIVER || sqliteDrivers[0] : wanted;
  if (engine === 'better-sqlite3' || engine === 'libsql' || engine === 'postgres') return engine;
  throw new Error(`TEST_ENGINE is "${wanted}": it must be sqlite, libsql or postgres.`);
}

/** Whether there is a PostgreSQL server to test on. */
export const hasPostgres = postgresServer() !== undefined;

/** Every engine that can be tested here, for suites that run on all of them. */
export const engines: readonly TestEngine[] = hasPostgres ? [...sqliteDrivers, 'postgres'] : sqliteDrivers;

/** Creates an empty database on the engine, by default on the one chosen for this run. */
export function createTestDatabase(engine: TestEngine = chosenEngine()): Promise<TestDatabase> {
  return engine === 'postgres' ? createPostgresDatabase() : createSqliteDatabase(engine);
}

async function createSqliteDatabase(driver: 'better-sqlite3' | 'libsql'): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const env = { DATA_DIR: folder, SQLITE_DRIVER: driver };
  return {
    engine: driver,
    env,
    options: (entities, limits) => ({ ...databaseOptions(loadConfig(env), entities), limits }),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function createPostgresDatabase(): Promise<TestDatabase> {
  const server = postgresServer();
  if (server === undefined) throw new Error('TEST_DATABASE_URL does not name a PostgreSQL server.');
  const name = `parley_test_${randomBytes(6).toString('hex')}`;
  await administer(server, `CREATE DATABASE ${name}`);
  // Nothing in it has to survive a power cut.
  await administer(server, `ALTER DATABASE ${name} SET synchronous_commit = off`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const env = { DATABASE_URL: url.href, DATABASE_POOL_SIZE: '16' };
  return {
    engine: 'postgres',
    env,
    options: (entities, limits) => ({ ...databaseOptions(loadConfig(env), entities), limits }),
    drop: () => administer(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
