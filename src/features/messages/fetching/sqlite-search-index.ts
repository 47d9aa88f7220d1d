import { yieldToEventLoop } from '../../../platform/clock';
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

/**
 * Maximum number of words to which prefixes expand, over all phrases of a search; a prefix with more expansions is
 * searched as a prefix.
 */
const MAX_WORDS = 128;

/** The words of the index from a given one on, in order: each is the first one after its predecessor. */
const WORDS_FROM = `
  WITH RECURSIVE found (word) AS (
    SELECT (SELECT term FROM message_search_terms WHERE term >= ? LIMIT 1)
    UNION ALL
    SELECT (SELECT term FROM message_search_terms WHERE term >= found.word || char(0) LIMIT 1)
    FROM found WHERE substr(found.word, 1, length(?)) = ?
  ) SELECT word FROM found LIMIT ?`;

/** Expansions of the prefix at the end of each phrase, unless there are too many. */
type Endings = ReadonlyMap<Phrase, readonly string[]>;

const NO_ENDINGS: Endings = new Map();

/** While an old database is being indexed there are more; searches still cover the newest. */
const MAX_PENDING = 500;

/** Characters of pending messages split into words in one turn of the event loop. */
const TEXT_PER_TURN = 20_000;

/**
 * Search with FTS5, on contentless tables. Indexing a single message takes a third of the time of sending it, since
 * FTS5 merges its pending entries at each savepoint, while indexing a hundred together costs little more. So new
 * messages are indexed in batches, in the order of their IDs; the few messages newer than the last indexed one are
 * tested individually.
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
    // First, so that the expansions below include words indexed in the meantime.
    const pending = await this.pending(db, query);
    const endings = await this.endings(db, query);
    const matching = (phrases: readonly Phrase[], range: IdRange, words: Endings) =>
      union(indexed(phrases, words, range), pendingOf(pending, phrases, range));
    const messages = (phrases: readonly Phrase[], range: IdRange) => matching(phrases, range, endings);
    return {
      // FTS5 itself returns the newest first, and stops when there are enough.
      isFrequent: false,
      messages,
      messagesByWord: messages,
      has: (phrases, range) => {
        // For a search of everything, collecting all matches at once is cheapest.
        const { sql, values } = matching(phrases, range, range === ALL_MESSAGES ? NO_ENDINGS : endings);
        // The unary plus keeps SQLite from scanning all matches for each candidate message.
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
      // Each expansion repeats the whole phrase. A phrase with too many uses up the remaining budget.
      const cost = words.length * phrase.words.length;
      if (words.length > 0 && cost <= left) endings.set(phrase, words);
      left -= cost;
      if (left <= 0) break;
    }
    return endings;
  }

  /** Messages that are not indexed yet, with the phrases that each contains. */
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
      await yieldToEventLoop();
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
    // The driver binds numbers as floating point, which FTS5 does not accept as row IDs.
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

/** Not `UNION ALL`: pending messages may have been indexed meanwhile. */
function union(one: SqlCondition, other: SqlCondition | null): SqlCondition {
  if (!other) return one;
  return { sql: `${one.sql} UNION ${other.sql}`, values: [...one.values, ...other.values] };
}

/** Words contain only letters and digits, so quoting suffices. */
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
