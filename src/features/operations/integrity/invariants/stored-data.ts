import { byQuery, type Invariant, MOST_FINDINGS } from './invariant';
import type { Queryable } from '../../../../platform/sql/queryable';

/** Invariants of the event log and its readers. */
export const eventInvariants: readonly Invariant[] = [
  {
    name: 'event-numbers',
    about: 'Events have numbers that were given, and no client is ahead of them.',
    find: async (db) => {
      const last =
        db.engine === 'sqlite'
          ? `(SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = 'event_log')`
          : `(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM event_log_number_seq)`;
      const ahead = await db.query<{ what: string; number: number }>(
        `SELECT 'The event log' AS what, number FROM event_log WHERE number > ${last}
         UNION ALL SELECT 'The queue of account ' || user_id, start_number FROM event_queue
           WHERE start_number > ${last}`,
      );
      return ahead.map(({ what, number }) => `${what} is at ${number}, which was not given yet.`);
    },
  },
  byQuery<{ number: number }>(
    'event-audiences',
    'Every event says whom it is for.',
    `SELECT e.number FROM event_log e LEFT JOIN audience a ON a.id = e.audience_id
     WHERE (e.audience IS NULL) = (e.audience_id IS NULL) OR (e.audience_id IS NOT NULL AND a.id IS NULL)`,
    (row) => `Event ${row.number} does not.`,
  ),
  byQuery<{ found: number }>(
    'directory-version',
    'The version of what is kept in memory is there.',
    'SELECT 1 AS found WHERE NOT EXISTS (SELECT 1 FROM directory_version WHERE id = 1)',
    () => 'It is missing.',
  ),
  byQuery<{ key: string }>(
    'server-state',
    'The database has a name, and remembers which secret it belongs to.',
    `SELECT k.key FROM (SELECT 'installation' AS key UNION ALL SELECT 'secret_fingerprint') k
     WHERE NOT EXISTS (SELECT 1 FROM server_state s WHERE s.key = k.key AND s.value <> '')`,
    (row) => `${row.key} is missing.`,
  ),
];

/** Invariants of the full-text search. */
export const searchInvariants: readonly Invariant[] = [
  {
    name: 'search-index',
    about: 'Search finds every message and topic that is there, and none that is gone.',
    find: async (db) => [...(await findUnindexed(db, 'message')), ...(await findUnindexed(db, 'topic'))],
  },
];

/** On SQLite, new messages beyond the indexed number may not be indexed yet; on PostgreSQL, old ones may not. */
async function findUnindexed(db: Queryable, what: 'message' | 'topic'): Promise<string[]> {
  const index =
    db.engine === 'sqlite'
      ? `(SELECT id FROM ${what}_search_docsize)`
      : `(SELECT ${what}_id AS id FROM ${what}_search)`;
  const limit = `LIMIT ${MOST_FINDINGS + 1}`;
  const missing = await db.query<{ id: number }>(
    `SELECT x.id FROM ${what} x JOIN search_progress p ON p.name = '${what}'
     LEFT JOIN ${index} s ON s.id = x.id
     WHERE s.id IS NULL AND (x.id <= p.indexed_id OR x.id > p.until_id) ${limit}`,
  );
  const left = await db.query<{ id: number }>(
    `SELECT s.id FROM ${index} s LEFT JOIN ${what} x ON x.id = s.id WHERE x.id IS NULL ${limit}`,
  );
  return [
    ...missing.map(({ id }) => `The ${what} ${id} is not found.`),
    ...left.map(({ id }) => `The ${what} ${id} is found, and is gone.`),
  ];
}

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
