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

/** Engines for test suites. The first two differ only in the driver. */
export type TestEngine = 'better-sqlite3' | 'libsql' | 'postgres';

/** A separate database for one test file, initially empty. */
export interface TestDatabase {
  readonly engine: TestEngine;
  /** Environment variables that make the server use it. */
  readonly env: Readonly<Record<string, string>>;
  options(tables: FeatureTables, limits?: Partial<DatabaseLimits>): DatabaseOptions;
  /** Call it once it is closed. */
  drop(): Promise<void>;
}

/** A server where tests may create and drop databases; they do not touch others. */
export function postgresServer(): string | undefined {
  const fallback =
    process.env.TEST_ENGINE === 'postgres' ? 'postgres://postgres@127.0.0.1:5432/postgres' : undefined;
  return process.env.TEST_DATABASE_URL || fallback;
}

/** better-sqlite3 is an optional package; machines without it test without it. */
function hasBetterSqlite3(): boolean {
  try {
    loadSqliteDriver('better-sqlite3');
    return true;
  } catch {
    return false;
  }
}

/** The installed SQLite drivers, the preferred one first. */
export const sqliteDrivers = hasBetterSqlite3()
  ? (['better-sqlite3', 'libsql'] as const)
  : (['libsql'] as const);

/** The engine selected by `TEST_ENGINE` (and `TEST_SQLITE_DRIVER`); SQLite by default. */
function chosenEngine(): TestEngine {
  const wanted = process.env.TEST_ENGINE || 'sqlite';
  const engine = wanted === 'sqlite' ? process.env.TEST_SQLITE_DRIVER || sqliteDrivers[0] : wanted;
  if (engine === 'better-sqlite3' || engine === 'libsql' || engine === 'postgres') return engine;
  throw new Error(`TEST_ENGINE is "${wanted}": it must be sqlite, libsql or postgres.`);
}

/** Whether a PostgreSQL server is available for tests. */
export const hasPostgres = postgresServer() !== undefined;

/** Every available engine, for suites that run on all of them. */
export const engines: readonly TestEngine[] = hasPostgres ? [...sqliteDrivers, 'postgres'] : sqliteDrivers;

/** Creates an empty database on the engine, by default on that of this run. */
export function createTestDatabase(engine: TestEngine = chosenEngine()): Promise<TestDatabase> {
  return engine === 'postgres' ? createPostgresDatabase('template1') : createSqliteDatabase(engine);
}

/**
 * Creates a database with tables. Migrating takes longer than many tests, so it is done once per run on PostgreSQL, and
 * once per worker on SQLite, and copied.
 * @param migrate creates the tables in the database of the environment, and closes it
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
    // Nothing in it needs to survive a power cut.
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

/** The first test file of a run creates it, while others wait; {@link dropTemplate} drops it. */
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

/** Called at the end of the run. */
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
