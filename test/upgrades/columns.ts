import { DataSource } from 'typeorm';
import { postgresDataSource, sqliteDataSource } from '../../src/platform/database/data-source.options';
import type { DatabaseOptions } from '../../src/platform/database/database.options';
import { loadSqliteDriver } from '../../src/platform/database/sqlite/sqlite-driver';

/** A column, as a release that does not know it meets it. */
export interface Column {
  /** With the name of its table, like `account.full_name`. */
  readonly name: string;
  /** Whether a row cannot be written without naming it. */
  readonly isNeeded: boolean;
}

const COLUMNS = {
  sqlite: `SELECT m.name || '.' || p.name AS name,
      p."notnull" = 1 AND p.dflt_value IS NULL AND p.pk = 0 AS needed
    FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table'`,
  postgres: `SELECT table_name || '.' || column_name AS name,
      is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO' AND is_generated = 'NEVER' AS needed
    FROM information_schema.columns WHERE table_schema = 'public'`,
} as const;

/** Every column of every table. */
export async function columnsOf(options: DatabaseOptions): Promise<Column[]> {
  const source = new DataSource(
    options.engine === 'sqlite'
      ? sqliteDataSource(options, loadSqliteDriver(options.driver), 'read')
      : postgresDataSource(options, 'read'),
  );
  await source.initialize();
  const rows: { name: string; needed: number | boolean }[] = await source.query(COLUMNS[options.engine]);
  await source.destroy();
  return rows.map(({ name, needed }) => ({ name, isNeeded: Boolean(needed) }));
}

/** What migrations have taken from a release that is to run on their tables: what it reads, or that it can write. */
export function takenFrom(release: readonly Column[], now: readonly Column[]): string[] {
  const tableOf = ({ name }: Column) => name.slice(0, name.indexOf('.'));
  const [before, after] = [new Map(byName(release)), new Map(byName(now))];
  const tables = new Set(release.map(tableOf));
  const lost = release.filter(({ name }) => !after.has(name)).map(({ name }) => `${name} is gone`);
  const needed = now.filter(
    (column) => column.isNeeded && tables.has(tableOf(column)) && !before.get(column.name)?.isNeeded,
  );
  return [...lost, ...needed.map(({ name }) => `${name} has no default`)];
}

const byName = (columns: readonly Column[]) => columns.map((column) => [column.name, column] as const);
