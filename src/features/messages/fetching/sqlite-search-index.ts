import { letOthersRun } from '../../../platform/clock';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import { ALL_MESSAGES, type IdRange } from '../store/message-rows.service';
import { condition, type SqlCondition } from '../store/personal-conditions';
import { messageWords } from './words';
import {
  type Indexed,
  type IndexEntry,
  type Phrase,
  phraseMatches,
  type PreparedSearch,
  SearchIndex,
  type SearchQuery,
} from './search';

const TABLES: Record<Indexed, string> = { message: 'message_search', topic: 'topic_search' };

/** Words that take the place of beginnings, in one search with all its phrases; a beginning of more is looked for as it is. */
const MAX_WORDS = 128;

/** The words of the index from one on, in their order: each is the first that comes after the one before. */
const WORDS_FROM = `
  WITH RECURSIVE found (word) AS (
    SELECT (SELECT term FROM message_search_terms WHERE term >= ? LIMIT 1)
    UNION ALL
    SELECT (SELECT term FROM message_search_terms WHERE term >= found.word || char(0) LIMIT 1)
    FROM found WHERE substr(found.word, 1, length(?)) = ?
  ) SELECT word FROM found LIMIT ?`;

/** Those of the words that begin a phrase's last one, for phrases that have not too many of them. */
type Endings = ReadonlyMap<Phrase, readonly string[]>;

const NO_ENDINGS: Endings = new Map();

/** While an old database is being indexed there are more; the newest are still found. */
const MAX_PENDING = 500;

/** Of these, as much is read for words in one turn of the event loop. */
const TEXT_PER_TURN = 20_000;

/**
 * Search with FTS5, on tables that keep no text. Writing one message there costs a third of sending it, since FTS5
 * sorts in what it has at each savepoint, and a hundred messages cost little more. So new messages are indexed some
 * at a time, in the order of their IDs; the few that are newer than the last one indexed are tested one by one.
 */
export class SqliteSearchIndex extends SearchIndex {
  override insertion(): null {
    return null;
  }

  override async replace(tx: Transaction, what: Indexed, entry: IndexEntry): Promise<void> {
    if (what === 'message' && entry.id > (await indexedUpTo(tx))) return;
    await this.add(tx, what, [entry]);
  }

  override async add(tx: Transaction, what: Indexed, entries: readonly IndexEntry[]): Promise<void> {
    await tx.query(
      `INSERT OR REPLACE INTO ${TABLES[what]} (rowid, words) VALUES ${entries.map(() => '(?, ?)').join(', ')}`,
      entries.flatMap(({ id, words }) => [id, words.join(' ')]),
    );
  }

  override async remove(tx: Transaction, what: Indexed, ids: readonly number[]): Promise<void> {
    await tx.query(`DELETE FROM ${TABLES[what]} WHERE rowid IN (?)`, [ids]);
  }

  override async clear(tx: Transaction): Promise<void> {
    for (const table of Object.values(TABLES)) {
      await tx.query(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`);
    }
  }

  override async prepare(db: Queryable, query: SearchQuery): Promise<PreparedSearch> {
    // First, so that words which come into the index in between are among its words.
    const pending = await this.pending(db, query);
    const endings = await this.endings(db, query);
    const matching = (phrases: readonly Phrase[], range: IdRange, words: Endings) =>
      union(indexed(phrases, words, range), pendingOf(pending, phrases, range));
    const messages = (phrases: readonly Phrase[], range: IdRange) => matching(phrases, range, endings);
    return {
      // The index itself goes from the newest to the oldest, and stops when there are enough.
      isFrequent: false,
      messages,
      messagesByWord: messages,
      has: (phrases, range) => {
        // Where all are wanted, to put them together at once is the cheapest.
        const { sql, values } = matching(phrases, range, range === ALL_MESSAGES ? NO_ENDINGS : endings);
        // The sign keeps SQLite from scanning all matches for each message in question.
        return condition(`+m.id IN (SELECT id FROM (${sql}) found)`, ...values);
      },
      topics: (phrase) =>
        condition('SELECT rowid AS id FROM topic_search WHERE topic_search MATCH ?', queryOf([phrase])),
    };
  }

  /** FTS5 streams matches of whole words, but collects all matches of a prefix before it returns the first. */
  private async endings(db: Queryable, { phrases }: SearchQuery): Promise<Endings> {
    const endings = new Map<Phrase, readonly string[]>();
    let left = MAX_WORDS;
    for (const phrase of phrases) {
      const beginning = phrase.words.at(-1);
      if (!phrase.isPrefix || beginning === undefined) continue;
      const rows = await db.query<{ word: string | null }>(WORDS_FROM, [
        ...[beginning, beginning, beginning],
        left + 1,
      ]);
      const words = rows.flatMap(({ word }) => (word?.startsWith(beginning) ? [word] : []));
      // Each has the whole phrase repeated for it. A phrase that has too many has used up what there is to be looked up.
      const cost = words.length * phrase.words.length;
      if (words.length > 0 && cost <= left) endings.set(phrase, words);
      left -= cost;
      if (left <= 0) break;
    }
    return endings;
  }

  /** Messages that are not in the index yet, with the phrases that each has. */
  private async pending(db: Queryable, query: SearchQuery): Promise<Map<number, ReadonlySet<Phrase>>> {
    const rows = await db.query<{ id: number; html: string }>(
      `SELECT id, rendered_content AS html FROM message
       WHERE id > (SELECT indexed_id FROM search_progress WHERE name = 'message') ORDER BY id DESC LIMIT ?`,
      [MAX_PENDING],
    );
    const pending = new Map<number, ReadonlySet<Phrase>>();
    let length = 0;
    for (const { id, html } of rows) {
      pending.set(id, phraseMatches(messageWords(html), query).found);
      if ((length += html.length) < TEXT_PER_TURN) continue;
      length = 0;
      await letOthersRun();
    }
    return pending;
  }
}

async function indexedUpTo(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ indexed_id: number }>(
    `SELECT indexed_id FROM search_progress WHERE name = 'message'`,
  );
  return row?.indexed_id ?? 0;
}

function indexed(phrases: readonly Phrase[], endings: Endings, { low, high }: IdRange): SqlCondition {
  return condition(
    // The driver sends numbers as fractions, which FTS5 does not recognize as row IDs.
    `SELECT rowid AS id FROM message_search
     WHERE message_search MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)`,
    queryOf(phrases, endings),
    low,
    high,
  );
}

function pendingOf(
  pending: ReadonlyMap<number, ReadonlySet<Phrase>>,
  phrases: readonly Phrase[],
  { low, high }: IdRange,
): SqlCondition | null {
  const ids = [...pending]
    .filter(([id, found]) => id >= low && id <= high && phrases.every((phrase) => found.has(phrase)))
    .map(([id]) => id);
  return ids.length === 0 ? null : condition('SELECT id FROM message WHERE id IN (?)', ids);
}

/** Not `UNION ALL`: what was pending may have been indexed since. */
function union(one: SqlCondition, other: SqlCondition | null): SqlCondition {
  if (!other) return one;
  return { sql: `${one.sql} UNION ${other.sql}`, values: [...one.values, ...other.values] };
}

/** Words hold letters and digits only, so quotes suffice. */
function queryOf(phrases: readonly Phrase[], endings = NO_ENDINGS): string {
  const texts = phrases.map((phrase) => {
    const whole = (words: readonly string[]) => `"${words.join(' ')}"`;
    const { words, isPrefix } = phrase;
    const begun = words.slice(0, -1);
    const alternatives = endings.get(phrase)?.map((ending) => whole([...begun, ending]));
    return alternatives ? `(${alternatives.join(' OR ')})` : `${whole(words)}${isPrefix ? ' *' : ''}`;
  });
  return texts.join(' AND ');
}
