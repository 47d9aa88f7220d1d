import { DataSource, type QueryRunner } from 'typeorm';
import { postgresDataSource, sqliteDataSource } from './data-source.options';
import type { DatabaseOptions } from './database.options';
import { knownMigrations } from './known-migrations';
import { loadSqliteDriver } from './sqlite/sqlite-driver';

/** A table, index, trigger, function or the like, with its definition. */
export interface SchemaObject {
  readonly kind: string;
  readonly name: string;
  /** The table it belongs to; for a table, its own name. */
  readonly table: string;
  readonly definition: string;
}

/** SQLite's internal tables. */
const OF_SQLITE = "('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4')";

/** Tables that Litestream creates in a replicated database. */
const OF_LITESTREAM: ReadonlySet<string> = new Set([
  'CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)',
  'CREATE TABLE _litestream_lock (id INTEGER)',
]);

const OWN_SCHEMAS = `n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'`;

/** The objects of a schema. On PostgreSQL, columns are part of their table. */
const OBJECTS = {
  sqlite: `SELECT type AS kind, name, tbl_name AS "table", sql AS definition FROM sqlite_master
    WHERE sql IS NOT NULL AND name NOT IN ${OF_SQLITE}`,
  postgres: `
    SELECT CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'view' WHEN 'i' THEN 'index'
      WHEN 'S' THEN 'sequence' ELSE 'relation of kind ' || c.relkind::text END AS kind,
      c.relname AS name, coalesce(t.relname, c.relname) AS "table",
      n.nspname || ' ' || CASE c.relkind WHEN 'i' THEN pg_get_indexdef(c.oid) WHEN 'r' THEN (
        SELECT string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
          pg_get_expr(d.adbin, d.adrelid)), ', ' ORDER BY a.attname)
        FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) ELSE '' END AS definition
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_index i ON i.indexrelid = c.oid LEFT JOIN pg_class t ON t.oid = i.indrelid
    WHERE ${OWN_SCHEMAS}
    UNION ALL SELECT 'trigger', g.tgname, c.relname, pg_get_triggerdef(g.oid) FROM pg_trigger g
      JOIN pg_class c ON c.oid = g.tgrelid WHERE NOT g.tgisinternal
    UNION ALL SELECT 'function', p.proname, '', pg_get_functiondef(p.oid) FROM pg_proc p
      JOIN pg_namespace n ON n.oid = p.pronamespace WHERE ${OWN_SCHEMAS} AND p.prokind IN ('f', 'p')
    UNION ALL SELECT 'aggregate', p.proname, '', '' FROM pg_proc p
      JOIN pg_namespace n ON n.oid = p.pronamespace WHERE ${OWN_SCHEMAS} AND p.prokind NOT IN ('f', 'p')
    UNION ALL SELECT 'rule', r.rulename, c.relname, pg_get_ruledef(r.oid) FROM pg_rewrite r
      JOIN pg_class c ON c.oid = r.ev_class JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE ${OWN_SCHEMAS} AND r.rulename <> '_RETURN'
    UNION ALL SELECT 'constraint', o.conname, c.relname, pg_get_constraintdef(o.oid) FROM pg_constraint o
      JOIN pg_class c ON c.oid = o.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE ${OWN_SCHEMAS} AND o.contype = 'c'
    UNION ALL SELECT 'policy', p.polname, c.relname, '' FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
    UNION ALL SELECT 'event trigger', evtname, '', '' FROM pg_event_trigger
    UNION ALL SELECT 'extension', extname, '', '' FROM pg_extension WHERE extname <> 'plpgsql'`,
} as const;

/** Kinds of objects that migrations of modules create: plain tables, their indexes and sequences. */
const KINDS_OF_MODULES = new Set(['table', 'index', 'sequence', 'constraint']);

/**
 * Objects that a database has beyond the wanted ones, or lacks, such as `trigger spy`. Tables and indexes of modules
 * are allowed, whether or not the module is loaded, and so are those of Litestream.
 */
export async function schemaDifferences(
  options: DatabaseOptions,
  wanted: readonly SchemaObject[],
): Promise<string[]> {
  const found = await objectsOf(sourceOf(options));
  const left = new Map(wanted.map((object) => [keyOf(object), object]));
  const isForeign = (object: SchemaObject) => !isOfModule(object) && !OF_LITESTREAM.has(object.definition);
  const foreign = found.filter((object) => !left.delete(keyOf(object)) && isForeign(object));
  return [
    ...foreign.map(({ kind, name }) => `${kind} ${name}`),
    ...[...left.values()].map(({ kind, name }) => `without ${kind} ${name}`),
  ];
}

/**
 * Lists the objects that the given migrations create, by running them in memory, or on an empty PostgreSQL with a
 * rollback.
 * @param applied names of migrations, all known to this release
 */
export async function wantedObjects(
  options: DatabaseOptions,
  applied: readonly string[],
): Promise<SchemaObject[]> {
  const names = new Set(applied);
  const migrations = knownMigrations(options).filter(({ name }) => names.has(name));
  const source = sourceOf(options.engine === 'sqlite' ? { ...options, file: ':memory:' } : options);
  return objectsOf(source, async (runner) => {
    for (const Migration of migrations) await new Migration().up(runner);
  });
}

/** @param prepare runs first and is undone at the end */
async function objectsOf(
  source: DataSource,
  prepare: (runner: QueryRunner) => Promise<void> = async () => undefined,
): Promise<SchemaObject[]> {
  await source.initialize();
  const runner = source.createQueryRunner();
  try {
    await runner.startTransaction();
    await prepare(runner);
    const engine = source.options.type === 'postgres' ? 'postgres' : 'sqlite';
    const objects = (await runner.query(OBJECTS[engine])) as SchemaObject[];
    await runner.rollbackTransaction();
    // TypeORM's own list of migrations.
    return objects.filter(({ table, name }) => table !== 'migrations' && !name.startsWith('migrations_'));
  } finally {
    await runner.release();
    await source.destroy();
  }
}

function sourceOf(options: DatabaseOptions): DataSource {
  return new DataSource(
    options.engine === 'sqlite'
      ? sqliteDataSource(options, loadSqliteDriver(options.driver), 'write')
      : postgresDataSource(options, 'migrate'),
  );
}

function isOfModule({ kind, name, table, definition }: SchemaObject): boolean {
  const isPlain = KINDS_OF_MODULES.has(kind) && !/^CREATE\s+VIRTUAL/i.test(definition);
  return isPlain && (table.startsWith('module_') || name.startsWith('module_'));
}

function keyOf({ kind, name, table, definition }: SchemaObject): string {
  return JSON.stringify([kind, name, table, definition.replace(/\s+/g, ' ')]);
}
