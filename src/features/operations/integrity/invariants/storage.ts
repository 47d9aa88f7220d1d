import type { Queryable } from '../../../../platform/sql/queryable';
import { MOST_FINDINGS, type Invariant } from './invariant';

interface ForeignKey {
  readonly name: string;
  readonly child: string;
  readonly column: string;
  readonly parent: string;
}

/** Invariants that the engine itself should enforce. */
export const storageInvariants: readonly Invariant[] = [
  {
    name: 'database-file',
    about: 'The file of the database is sound, and its indexes agree with its tables.',
    engine: 'sqlite',
    find: async (db) => {
      const rows = await db.query<{ integrity_check: string }>(
        `PRAGMA integrity_check(${MOST_FINDINGS + 1})`,
      );
      return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
    },
  },
  {
    name: 'foreign-keys',
    about: 'Every row that another one refers to is there.',
    find: (db) => (db.engine === 'sqlite' ? sqliteKeys(db) : postgresKeys(db)),
  },
];

async function sqliteKeys(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ table: string; rowid: number | null; parent: string }>(
    'SELECT "table", rowid, parent FROM pragma_foreign_key_check',
  );
  return rows.map(
    ({ table, rowid, parent }) => `${table}, row ${rowid}, refers to ${parent}, where nothing is.`,
  );
}

async function postgresKeys(db: Queryable): Promise<string[]> {
  const keys = await db.query<ForeignKey>(
    `SELECT c.conname AS name, c.conrelid::regclass::text AS child, c.confrelid::regclass::text AS parent,
       a.attname AS column
     FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
     WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace ORDER BY c.conname`,
  );
  const found: string[] = [];
  for (const { child, column, parent } of keys) {
    const rows = await db.query<{ value: number }>(
      `SELECT x.${column} AS value FROM ${child} x LEFT JOIN ${parent} y ON y.id = x.${column}
       WHERE x.${column} IS NOT NULL AND y.id IS NULL LIMIT ${MOST_FINDINGS + 1}`,
    );
    found.push(
      ...rows.map(({ value }) => `${child}.${column} refers to ${parent} ${value}, which is not there.`),
    );
  }
  return found;
}
