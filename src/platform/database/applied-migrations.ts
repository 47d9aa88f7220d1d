import { existsSync } from 'node:fs';
import { DataSource, type QueryRunner } from 'typeorm';
import { postgresDataSource, sqliteDataSource } from './data-source.options';
import { DatabaseTooNew, DatabaseUnavailable, ModuleTablesRefused } from './database.errors';
import {
  type AppliedMigration,
  type DatabaseOptions,
  type FeatureTables,
  migrationTitle,
  type ModuleMigration,
  type ModuleTables,
  tablePrefix,
} from './database.options';
import { knownMigrations } from './known-migrations';
import { areTablesUsable, writeOldestRelease } from './oldest-release';
import { loadSqliteDriver } from './sqlite/sqlite-driver';

/** Records which migrations of which modules were applied. */
const RECORD = 'module_migration';

interface AppliedRow {
  readonly module: string;
  readonly number: number;
  readonly name: string;
}

/** The tables of an open database; for each, its columns, indexes and triggers as one text each. */
const SHAPES = {
  'better-sqlite3': `SELECT tbl_name AS name, name || ' ' || sql AS part FROM sqlite_master WHERE sql IS NOT NULL`,
  postgres: `
    SELECT table_name AS name, concat_ws(' ', column_name, data_type, is_nullable, column_default) AS part
    FROM information_schema.columns WHERE table_schema = current_schema()
    UNION ALL SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = current_schema()
    UNION ALL SELECT c.relname, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace`,
} as Readonly<Record<string, string>>;

/**
 * State of a database compared with the migrations of this release, oldest first, followed by those of its modules,
 * with titles such as `polls/1 votes`.
 */
interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** From a newer release, or a newer version of a module. */
  readonly unknown: readonly string[];
  /** Whether this release can use the tables nevertheless. */
  readonly isUsable: boolean;
}

/**
 * Applies pending migrations: those of the program, then those of its modules, each in a separate transaction.
 * @throws {ModuleTablesRefused}
 */
export async function applyMigrations(
  source: DataSource,
  { modules, onApplied = () => undefined }: DatabaseOptions,
): Promise<void> {
  for (const migration of source.migrations) {
    const up = migration.up.bind(migration);
    migration.up = async (runner) => {
      const began = performance.now();
      await up(runner);
      onApplied({ name: migration.constructor.name, milliseconds: performance.now() - began });
    };
  }
  const isPending = await source.showMigrations();
  const isNew = !(await hasTables(source));
  if (isPending && !isNew) await writeOldestRelease(source);
  await source.runMigrations({ transaction: 'each' });
  if (isNew) await writeOldestRelease(source);
  await migrateModules(source, modules, onApplied);
}

/**
 * Reads the migration status without changing anything, even while a server uses the database.
 * @throws {DatabaseUnavailable}
 */
export async function migrationStatus(options: DatabaseOptions): Promise<MigrationStatus> {
  if (options.engine === 'sqlite' && !existsSync(options.file))
    return withModules(statusOf([], options), options);
  const source = new DataSource(
    options.engine === 'sqlite'
      ? sqliteDataSource(options, loadSqliteDriver(options.driver), 'read')
      : postgresDataSource(options, 'read'),
  );
  try {
    await source.initialize();
  } catch (error) {
    throw new DatabaseUnavailable('The database cannot be opened.', error);
  }
  try {
    const status = statusOf(await appliedTo(source), options);
    const isUsable = status.isUsable || (await areTablesUsable((sql) => source.query(sql)));
    return await withModules({ ...status, isUsable }, options, source);
  } finally {
    await source.destroy();
  }
}

/** The given migrations that this release does not know. */
export function unknownMigrations(names: readonly string[], tables: FeatureTables): string[] {
  const known = new Set(knownNames(tables));
  return names.filter((name) => !known.has(name));
}

/** @throws {DatabaseTooNew} unless the newer release allows this one */
export async function refuseNewerDatabase(source: DataSource, tables: FeatureTables): Promise<void> {
  const { unknown } = statusOf(await appliedTo(source), tables);
  if (unknown.length > 0 && !(await areTablesUsable((sql) => source.query(sql))))
    throw new DatabaseTooNew(unknown);
}

async function hasTables(source: DataSource): Promise<boolean> {
  const runner = source.createQueryRunner();
  try {
    return await runner.hasTable('server_state');
  } finally {
    await runner.release();
  }
}

async function withModules(
  status: MigrationStatus,
  { modules = [] }: DatabaseOptions,
  source: DataSource | null = null,
): Promise<MigrationStatus> {
  const ofModules = await moduleMigrationStatus(source, modules);
  return {
    applied: [...status.applied, ...ofModules.applied],
    pending: [...status.pending, ...ofModules.pending],
    unknown: [...status.unknown, ...ofModules.unknown],
    isUsable: status.isUsable && ofModules.unknown.length === 0,
  };
}

function statusOf(names: readonly string[], tables: FeatureTables): MigrationStatus {
  const done = new Set(names);
  const known = knownNames(tables);
  const unknown = unknownMigrations(names, tables);
  return {
    applied: known.filter((name) => done.has(name)),
    pending: known.filter((name) => !done.has(name)),
    unknown,
    isUsable: unknown.length === 0,
  };
}

function knownNames(tables: FeatureTables): string[] {
  return knownMigrations(tables).map(({ name }) => name);
}

async function appliedTo(source: DataSource): Promise<string[]> {
  const runner = source.createQueryRunner();
  try {
    if (!(await runner.hasTable('migrations'))) return [];
    const rows = (await runner.query('SELECT name FROM migrations ORDER BY id')) as { name: string }[];
    return rows.map(({ name }) => name);
  } finally {
    await runner.release();
  }
}

/**
 * Applies pending migrations of modules, in the configured order of the modules, each in a separate transaction.
 * @throws {ModuleTablesRefused} naming the module
 */
async function migrateModules(
  source: DataSource,
  modules: readonly ModuleTables[] = [],
  onApplied: (migration: AppliedMigration) => void = () => undefined,
): Promise<void> {
  if (modules.length === 0) return;
  const applied = await appliedOfModules(source);
  for (const module of modules) {
    const { pending, unknown } = moduleStatusOf(module, applied);
    const [newer] = unknown;
    if (newer) {
      const title = migrationTitle(module.name, newer);
      throw new ModuleTablesRefused(
        module.name,
        `it was used by another version of the module, with the migration "${title}".`,
      );
    }
    for (const migration of pending) {
      const began = performance.now();
      await apply(source, module, migration);
      const name = migrationTitle(module.name, migration);
      onApplied({ name, milliseconds: performance.now() - began });
    }
  }
}

/** Titles of applied, pending and unknown migrations. @param source null if the database does not exist yet */
async function moduleMigrationStatus(
  source: DataSource | null,
  modules: readonly ModuleTables[],
): Promise<Record<'applied' | 'pending' | 'unknown', string[]>> {
  const rows = source === null || modules.length === 0 ? [] : await appliedOfModules(source);
  const titles = (part: 'applied' | 'pending' | 'unknown') =>
    modules.flatMap((module) =>
      moduleStatusOf(module, rows)[part].map((migration) => migrationTitle(module.name, migration)),
    );
  return { applied: titles('applied'), pending: titles('pending'), unknown: titles('unknown') };
}

function moduleStatusOf({ name, migrations }: ModuleTables, rows: readonly AppliedRow[]) {
  const own = rows.filter(({ module }) => module === name);
  const isApplied = (one: ModuleMigration) =>
    own.some((row) => row.number === one.number && row.name === one.name);
  return {
    applied: migrations.filter(isApplied),
    pending: migrations.filter((one) => !isApplied(one)),
    unknown: own.filter(
      (row) => !migrations.some((one) => row.number === one.number && row.name === one.name),
    ),
  };
}

async function apply(source: DataSource, module: ModuleTables, migration: ModuleMigration): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    await runner.beforeMigration();
    await runner.startTransaction();
    const before = await shapes(runner);
    await migration.up(runner);
    const foreign = differing(before, await shapes(runner)).filter(
      (name) => !name.startsWith(tablePrefix(module.name)),
    );
    if (foreign.length > 0) {
      throw new Error(
        `it creates, changes or drops ${foreign.join(', ')}; names of its tables must start with ${tablePrefix(module.name)}`,
      );
    }
    const [number, name] = [migration.number, migration.name.replaceAll("'", "''")];
    await runner.query(
      `INSERT INTO ${RECORD} (module, number, name, applied_at)
       VALUES ('${module.name}', ${number}, '${name}', ${Date.now()})`,
    );
    await runner.commitTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    const reason = error instanceof Error ? error.message : String(error);
    throw new ModuleTablesRefused(
      module.name,
      `its migration "${migrationTitle(module.name, migration)}" failed and was rolled back. ${reason}`,
    );
  } finally {
    await runner.afterMigration();
    await runner.release();
  }
}

/** Keyed by table name. */
async function shapes(runner: QueryRunner): Promise<ReadonlyMap<string, string>> {
  const statement = SHAPES[runner.connection.options.type];
  const rows = (await runner.query(statement ?? '')) as { name: string; part: string }[];
  const parts = new Map<string, string[]>();
  for (const { name, part } of rows) {
    if (name.startsWith('sqlite_')) continue;
    const known = parts.get(name);
    if (known) known.push(part);
    else parts.set(name, [part]);
  }
  return new Map([...parts].map(([name, all]) => [name, all.sort().join('\n')]));
}

/** Tables that are in only one of the maps, or differ between them. */
function differing(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => one.get(name) !== other.get(name));
}

async function appliedOfModules(source: DataSource): Promise<AppliedRow[]> {
  const runner = source.createQueryRunner();
  try {
    if (!(await runner.hasTable(RECORD))) return [];
    return (await runner.query(
      `SELECT module, number, name FROM ${RECORD} ORDER BY module, number`,
    )) as AppliedRow[];
  } finally {
    await runner.release();
  }
}
