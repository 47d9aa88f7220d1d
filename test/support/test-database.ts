import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { loadConfig } from '../../src/platform/config/load-config';
import {
  type DatabaseLimits,
  type DatabaseOptions,
  databaseOptions,
  type FeatureTables,
} from '../../src/platform/database/database.options';
import { loadSqliteDriver } from '../../src/platform/database/sqlite/sqlite-driver';

/** What a suite can run on. The first two differ in the driver only. */
export type TestEngine = 'better-sqlite3' | 'libsql' | 'postgres';

/** A database of its own for one test file, empty at first. */
export interface TestDatabase {
  readonly engine: TestEngine;
  /** Environment variables that make the server use it. */
  readonly env: Readonly<Record<string, string>>;
  options(tables: FeatureTables, limits?: Partial<DatabaseLimits>): DatabaseOptions;
  /** To be called once it is closed. */
  drop(): Promise<void>;
}

/** A server on which tests may create and drop databases; they touch no others there. */
export function postgresServer(): string | undefined {
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
  return engine === 'postgres' ? createPostgresDatabase('template1') : createSqliteDatabase(engine);
}

/**
 * Creates a database that has its tables already. Migrating takes longer than many a test, so it is done once for a run on
 * PostgreSQL, and once for each worker on SQLite, and copied.
 * @param migrate makes the tables in the database that the environment names, and closes it
 */
export async function createMigratedDatabase(
  migrate: (env: TestDatabase['env']) => Promise<void>,
  engine: TestEngine = chosenEngine(),
): Promise<TestDatabase> {
  if (engine === 'postgres') return createPostgresDatabase(await migratedTemplate(migrate));
  const template = join(templateFolder(), `${engine}-${process.pid}.db`);
  if (!existsSync(template)) {
    const first = await createSqliteDatabase(engine);
    await migrate(first.env);
    mkdirSync(templateFolder(), { recursive: true });
    renameSync(databaseFile(first), template);
    await first.drop();
  }
  const database = await createSqliteDatabase(engine);
  copyFileSync(template, databaseFile(database));
  return database;
}

function databaseFile({ env }: TestDatabase): string {
  return join(env['DATA_DIR'] as string, 'parley.db');
}

async function createSqliteDatabase(driver: 'better-sqlite3' | 'libsql'): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const env = { DATA_DIR: folder, SQLITE_DRIVER: driver };
  return {
    engine: driver,
    env,
    options: (tables, limits) => ({ ...databaseOptions(loadConfig(env), tables), limits }),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function createPostgresDatabase(template: string): Promise<TestDatabase> {
  const name = `parley_test_${randomBytes(6).toString('hex')}`;
  const env = postgresEnv(name);
  await administer(async (server) => {
    await server.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    // Nothing in it has to survive a power cut.
    await server.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  });
  return {
    engine: 'postgres',
    env,
    options: (tables, limits) => ({ ...databaseOptions(loadConfig(env), tables), limits }),
    drop: async () => {
      await administer((server) => server.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

/** The first test file of a run makes it, while others wait; {@link dropTemplate} takes it away. */
async function migratedTemplate(migrate: (env: TestDatabase['env']) => Promise<void>): Promise<string> {
  const name = templateName();
  await administer(async (server) => {
    await server.query("SELECT pg_advisory_lock(hashtext('parley tests'))");
    const { rowCount } = await server.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount) return;
    await server.query(`CREATE DATABASE ${name}_unfinished`);
    await migrate(postgresEnv(`${name}_unfinished`));
    await server.query(`ALTER DATABASE ${name}_unfinished RENAME TO ${name}`);
  });
  return name;
}

/** To be called when the run is over. */
export async function dropTemplate(): Promise<void> {
  rmSync(templateFolder(), { recursive: true, force: true });
  if (postgresServer() === undefined) return;
  await administer(async (server) => {
    for (const name of [templateName(), `${templateName()}_unfinished`])
      await server.query(`DROP DATABASE IF EXISTS ${name}`);
  });
}

/** `jest.config.cjs` names each run. */
function templateName(): string {
  return `parley_test_template_${process.env.PARLEY_TEST_RUN}`;
}

function templateFolder(): string {
  return join(tmpdir(), templateName());
}

function postgresEnv(database: string): TestDatabase['env'] {
  const url = new URL(postgresUrl());
  url.pathname = `/${database}`;
  return { DATABASE_URL: url.href, DATABASE_POOL_SIZE: '16' };
}

function postgresUrl(): string {
  const url = postgresServer();
  if (url === undefined) throw new Error('TEST_DATABASE_URL does not name a PostgreSQL server.');
  return url;
}

async function administer(work: (server: Client) => Promise<unknown>): Promise<void> {
  const server = new Client({ connectionString: postgresUrl() });
  await server.connect();
  try {
    await work(server);
  } finally {
    await server.end();
  }
}
