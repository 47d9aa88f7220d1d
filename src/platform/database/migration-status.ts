import { existsSync } from 'node:fs';
import { DataSource } from 'typeorm';
import { DatabaseTooNew, DatabaseUnavailable } from './database.errors';
import { postgresDataSource, sqliteDataSource } from './data-source.options';
import type { DatabaseOptions, FeatureTables } from './database.options';
import { knownMigrations } from './known-migrations';
import { moduleMigrationStatus } from './modules/module-migrations';
import { areTablesUsable } from './oldest-release';
import { loadSqliteDriver } from './sqlite/sqlite-driver';

/**
 * How a database stands to the migrations that this release knows, oldest first, and after them to those of its modules,
 * which are called like `polls/1 votes`.
 */
export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Of a newer release, or a newer version of a module. */
  readonly unknown: readonly string[];
  /** Whether this release works on the tables nevertheless. */
  readonly isUsable: boolean;
}

/**
 * Looks without changing anything, also while a server has the database.
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

/** Which of the given migrations a release before the one that made them does not know. */
export function unknownMigrations(names: readonly string[], tables: FeatureTables): string[] {
  const known = new Set(knownNames(tables));
  return names.filter((name) => !known.has(name));
}

/** @throws {DatabaseTooNew} unless the newer release allowed this one */
export async function refuseNewerDatabase(source: DataSource, tables: FeatureTables): Promise<void> {
  const { unknown } = statusOf(await appliedTo(source), tables);
  if (unknown.length > 0 && !(await areTablesUsable((sql) => source.query(sql))))
    throw new DatabaseTooNew(unknown);
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
