import { isUnspaced, wordsOf } from './words';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Queryable } from '../../../platform/sql/queryable';
import type { IdRange } from '../store/message-rows.service';
import type { SqlCondition } from '../store/personal-conditions';

/** A sequence of adjacent words. */
export interface Phrase {
  readonly words: readonly string[];
  /** Whether the last word also matches as a prefix. */
  readonly isPrefix: boolean;
}

/** A search: all phrases must match, in any order. There is at least one. */
export interface SearchQuery {
  readonly phrases: readonly Phrase[];
}

/** Phrases beyond this limit are ignored. */
const MAX_PHRASES = 20;

/** Maximum number of words in all phrases of a search; the rest is ignored, too. */
export const MAX_SEARCH_WORDS = 60;

/** Shorter words match only as whole words, since too many words start with them. */
const MIN_PREFIX_LENGTH = 3;

const QUOTED_OR_WORD = /"([^"]*)"?|[^\s"]+/g;

/**
 * Parses a typed search: words, which also match as prefixes, and quoted phrases, which match exactly. Text without
 * spaces that consists of several words, such as an address, is a phrase.
 * @returns null if there is no word to search for
 */
export function parseSearch(text: string): SearchQuery | null {
  const phrases = new Map<string, Phrase>();
  let wordsLeft = MAX_SEARCH_WORDS;
  for (const [written, quoted] of text.matchAll(QUOTED_OR_WORD)) {
    const words = wordsOf(quoted ?? written)
      .slice(0, wordsLeft)
      .map((word) => word.text);
    const last = words.at(-1);
    if (last === undefined) continue;
    const isPrefix = quoted === undefined && last.length >= MIN_PREFIX_LENGTH && !isUnspaced(last);
    const key = `${words.join(' ')}${isPrefix ? '*' : ''}`;
    if (phrases.has(key)) continue;
    phrases.set(key, { words, isPrefix });
    wordsLeft -= words.length;
    if (phrases.size >= MAX_PHRASES || wordsLeft === 0) break;
  }
  return phrases.size === 0 ? null : { phrases: [...phrases.values()] };
}

/** Positions of a search's phrases in a text. */
interface PhraseMatches {
  /** The phrases that occur in the text. */
  readonly found: ReadonlySet<Phrase>;
  /** Indexes of the words that belong to a match. */
  readonly marked: ReadonlySet<number>;
}

/** Finds the phrases of a search in a list of words. */
export function phraseMatches(words: readonly string[], { phrases }: SearchQuery): PhraseMatches {
  const marked = new Set<number>();
  const found = new Set<Phrase>();
  // Matches of a phrase that repeats itself overlap.
  const markedTo = new Map<Phrase, number>();
  // Most words occur many times and start no phrase.
  const beginners = new Map<string, readonly Phrase[]>();
  for (const [at, word] of words.entries()) {
    let begun = beginners.get(word);
    if (!begun) beginners.set(word, (begun = phrases.filter((phrase) => fits(word, phrase, 0))));
    for (const phrase of begun) {
      if (!phrase.words.every((_, offset) => fits(words[at + offset], phrase, offset))) continue;
      found.add(phrase);
      const end = at + phrase.words.length;
      for (let place = Math.max(at, markedTo.get(phrase) ?? 0); place < end; place++) marked.add(place);
      markedTo.set(phrase, end);
    }
  }
  return { found, marked };
}

function fits(word: string | undefined, { words, isPrefix }: Phrase, offset: number): boolean {
  const wanted = words[offset];
  if (word === undefined || wanted === undefined) return false;
  return isPrefix && offset === words.length - 1 ? word.startsWith(wanted) : word === wanted;
}

/**
 * What has an index of its own. Topic names are not part of message entries, so moving messages does not change the
 * index.
 */
export type Indexed = 'message' | 'topic';

/** A text to index. */
export interface IndexEntry {
  readonly id: number;
  /** Normalized words; see words.ts. */
  readonly words: readonly string[];
}

/** A query after the index has looked up what it needs for it. */
export interface PreparedSearch {
  /** Whether all words are so frequent that scanning message by message finds a page soonest. */
  readonly isFrequent: boolean;
  /** A query for the IDs of messages whose own text contains all phrases. Its cost grows at most with the range. */
  readonly messages: (phrases: readonly Phrase[], range: IdRange) => SqlCondition;
  /** Like `messages`, at a cost that grows with the number of matches in the whole index. */
  readonly messagesByWord: (phrases: readonly Phrase[], range: IdRange) => SqlCondition;
  /** Whether the text of message `m`, within the range, contains all phrases. */
  has(phrases: readonly Phrase[], range: IdRange): SqlCondition;
  /** A query for the IDs of topics whose name contains the phrase. */
  topics(phrase: Phrase): SqlCondition;
}

/** The full-text search of a database engine. All engines return the same results (test/contracts/search.test.ts). */
export abstract class SearchIndex {
  /**
   * A statement that indexes the message whose row is `inserted`, so that it can be found as soon as it is committed;
   * null if the engine indexes messages later.
   */
  abstract insertion(words: () => readonly string[]): SqlCondition | null;

  /** Adds entries or replaces existing ones. */
  abstract replace(tx: Transaction, what: Indexed, entry: IndexEntry): Promise<void>;

  /** Adds entries that predate the index, or that {@link insertion} left for later. */
  abstract add(tx: Transaction, what: Indexed, entries: readonly IndexEntry[]): Promise<void>;

  abstract remove(tx: Transaction, what: Indexed, ids: readonly number[]): Promise<void>;

  /** Removes all entries. */
  abstract clear(tx: Transaction): Promise<void>;

  abstract prepare(db: Queryable, query: SearchQuery): Promise<PreparedSearch>;
}
