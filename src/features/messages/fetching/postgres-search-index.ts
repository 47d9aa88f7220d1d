import { addTo } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Queryable } from '../../../platform/sql/queryable';
import { condition, type SqlCondition } from '../store/personal-conditions';
import {
  type Indexed,
  type IndexEntry,
  type Phrase,
  type PreparedSearch,
  SearchIndex,
  type SearchQuery,
} from './search';

const TABLES: Record<Indexed, { readonly name: string; readonly key: string }> = {
  message: { name: 'message_search', key: 'message_id' },
  topic: { name: 'topic_search', key: 'topic_id' },
};

/** The number of newest messages from which word frequencies are estimated. */
const SAMPLE = 1024;
/** At one in 64, a page of fifty is found within about three thousand messages. */
const FREQUENT_IN_SAMPLE = SAMPLE / 64;

/**
 * Search with `tsvector` and GIN indexes. Words bypass PostgreSQL's own parser.
 *
 * The index leads from words to all messages that contain them, and the planner has no statistics about rare words:
 * left to itself, PostgreSQL would test a million messages for a word found in ten, or collect half a million for a
 * page of fifty. So each condition is written in a form that allows only one plan.
 */
export class PostgresSearchIndex extends SearchIndex {
  override insertion(words: () => readonly string[]): SqlCondition {
    return condition(
      'INSERT INTO message_search (message_id, document) SELECT id, CAST(? AS tsvector) FROM inserted',
      documentOf(words()),
    );
  }

  override async replace(tx: Transaction, what: Indexed, { id, words }: IndexEntry): Promise<void> {
    const { name, key } = TABLES[what];
    await tx.query(
      `INSERT INTO ${name} (${key}, document) VALUES (?, CAST(? AS tsvector))
       ON CONFLICT (${key}) DO UPDATE SET document = excluded.document`,
      [id, documentOf(words)],
    );
  }

  override async add(tx: Transaction, what: Indexed, entries: readonly IndexEntry[]): Promise<void> {
    const { name, key } = TABLES[what];
    await tx.query(
      // An existing row is newer.
      `INSERT INTO ${name} (${key}, document) VALUES ${entries.map(() => '(?, CAST(? AS tsvector))').join(', ')}
       ON CONFLICT (${key}) DO NOTHING`,
      entries.flatMap(({ id, words }) => [id, documentOf(words)]),
    );
  }

  override async remove(tx: Transaction, what: Indexed, ids: readonly number[]): Promise<void> {
    const { name, key } = TABLES[what];
    await tx.query(`DELETE FROM ${name} WHERE ${key} IN (?)`, [ids]);
  }

  override async clear(tx: Transaction): Promise<void> {
    for (const { name } of Object.values(TABLES)) await tx.query(`DELETE FROM ${name}`);
  }

  override async prepare(db: Queryable, { phrases }: SearchQuery): Promise<PreparedSearch> {
    return {
      isFrequent: await areFrequent(db, phrases),
      messages: (some, { low, high }) =>
        condition(
          `SELECT message_id AS id FROM message_search
           WHERE (document @@ CAST(? AS tsquery)) IS TRUE AND message_id BETWEEN ? AND ?`,
          queryOf(some),
          low,
          high,
        ),
      messagesByWord: (some, { low, high }) =>
        condition(
          `SELECT message_id AS id FROM message_search
           WHERE document @@ CAST(? AS tsquery) AND message_id + 0 BETWEEN ? AND ?`,
          queryOf(some),
          low,
          high,
        ),
      has: (some) =>
        condition(
          '(SELECT document FROM message_search s WHERE s.message_id = m.id) @@ CAST(? AS tsquery) IS TRUE',
          queryOf(some),
        ),
      topics: (phrase) =>
        condition(
          // A separate subquery; otherwise a search for a single result tests topic after topic until one matches.
          `WITH named AS MATERIALIZED (SELECT topic_id AS id FROM topic_search WHERE document @@ CAST(? AS tsquery))
           SELECT id FROM named`,
          queryOf([phrase]),
        ),
    };
  }
}

async function areFrequent(db: Queryable, phrases: readonly Phrase[]): Promise<boolean> {
  const { count } = await db.queryOne<{ count: number }>(
    `SELECT COUNT(*) AS count FROM message_search
     WHERE (document @@ CAST(? AS tsquery)) IS TRUE
       AND message_id > (SELECT MAX(message_id) FROM message_search) - ${SAMPLE}`,
    [queryOf(phrases)],
  );
  return count >= FREQUENT_IN_SAMPLE;
}

/** Words contain only letters and digits, so quoting suffices. */
function documentOf(words: readonly string[]): string {
  const places = new Map<string, number[]>();
  for (const [at, word] of words.entries()) addTo(places, word, at + 1);
  return Array.from(places, ([word, at]) => `'${word}':${at.join(',')}`).join(' ');
}

function queryOf(phrases: readonly Phrase[]): string {
  return phrases
    .map(
      ({ words, isPrefix }) => `(${words.map((word) => `'${word}'`).join(' <-> ')}${isPrefix ? ':*' : ''})`,
    )
    .join(' & ');
}
