import { addTo } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { IdRange } from '../store/message-rows.service';
import { condition, type SqlCondition } from '../store/sql-condition';
import { SearchIndex, type Indexed, type IndexEntry, type PreparedSearch } from './search-index';
import type { Phrase } from './search-query';

const TABLES: Record<Indexed, { readonly name: string; readonly key: string }> = {
  message: { name: 'message_search', key: 'message_id' },
  topic: { name: 'topic_search', key: 'topic_id' },
};

/** Search with `tsvector` and GIN indexes. Words are given to PostgreSQL as they are, past its own parser. */
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
      // A row that is there already is newer.
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

  override async prepare(): Promise<PreparedSearch> {
    return {
      messages: (phrases, { low, high }: IdRange) =>
        condition(
          `SELECT message_id AS id FROM message_search
           WHERE document @@ CAST(? AS tsquery) AND message_id BETWEEN ? AND ?`,
          phrases.map(queryOf).join(' & '),
          low,
          high,
        ),
      topics: (phrase) =>
        condition(
          'SELECT topic_id AS id FROM topic_search WHERE document @@ CAST(? AS tsquery)',
          queryOf(phrase),
        ),
    };
  }
}

/** Words hold letters and digits only, so quotes suffice. */
function documentOf(words: readonly string[]): string {
  const places = new Map<string, number[]>();
  for (const [at, word] of words.entries()) addTo(places, word, at + 1);
  return Array.from(places, ([word, at]) => `'${word}':${at.join(',')}`).join(' ');
}

function queryOf({ words, isPrefix }: Phrase): string {
  return `(${words.map((word) => `'${word}'`).join(' <-> ')}${isPrefix ? ':*' : ''})`;
}
