import type { Queryable } from '../../../../platform/sql/queryable';
import { MOST_FINDINGS, type Invariant } from './invariant';

/** Invariants of the full-text search. */
export const searchInvariants: readonly Invariant[] = [
  {
    name: 'search-index',
    about: 'Search finds every message and topic that is there, and none that is gone.',
    find: async (db) => [...(await findUnindexed(db, 'message')), ...(await findUnindexed(db, 'topic'))],
  },
];

/** On SQLite, new messages wait a little to be indexed, behind the indexed number; on PostgreSQL, old ones may. */
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
