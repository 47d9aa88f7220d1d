import { isUnspaced, wordsOf } from './words';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Queryable } from '../../../platform/sql/queryable';
import type { IdRange } from '../store/message-rows.service';
import type { SqlCondition } from '../store/personal-conditions';

/** Words that have to stand one after the other. */
export interface Phrase {
  readonly words: readonly string[];
  /** Whether the last word may be the beginning of a longer one. */
  readonly isPrefix: boolean;
}

/** What a reader searches for: all the phrases, in any order. There is at least one. */
export interface SearchQuery {
  readonly phrases: readonly Phrase[];
}

/** Longer searches are cut here. */
const MAX_PHRASES = 20;

/** Most words of one search, in all its phrases; the others are not looked at, either. */
export const MAX_SEARCH_WORDS = 60;

/** Shorter words are whole ones: too much begins with them. */
const MIN_PREFIX_LENGTH = 3;

const QUOTED_OR_WORD = /"([^"]*)"?|[^\s"]+/g;

/**
 * Reads what a reader typed: words, which may be the beginnings of words, and phrases in quotes, which are
 * taken as they are. What is written together but consists of several words, such as an address, is a phrase.
 * @returns null when there is no word in it, and so nothing to be found
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

/** Where the phrases of a search are in a text. */
interface PhraseMatches {
  /** The phrases that the text has. */
  readonly found: ReadonlySet<Phrase>;
  /** Which words belong to one, by their place. */
  readonly marked: ReadonlySet<number>;
}

/** Finds where phrases stand among the words of a text. */
export function phraseMatches(words: readonly string[], { phrases }: SearchQuery): PhraseMatches {
  const marked = new Set<number>();
  const found = new Set<Phrase>();
  // Where a phrase goes on repeating itself, its places overlap.
  const markedTo = new Map<Phrase, number>();
  // Most words are there many times, and begin nothing.
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

/** What is indexed by itself. The text of a topic is no part of its messages, so moving them changes nothing. */
export type Indexed = 'message' | 'topic';

/** Something to be indexed. */
export interface IndexEntry {
  readonly id: number;
  /** Folded: see words.ts. */
  readonly words: readonly string[];
}

/** A query that the index was asked, as far as it had to look things up for it. */
export interface PreparedSearch {
  /** Whether so many messages have all of the words that looking at one after the other finds a page of them soonest. */
  readonly isFrequent: boolean;
  /** A query for the IDs of messages whose own text has all of the phrases. Its cost grows with the range at most. */
  readonly messages: (phrases: readonly Phrase[], range: IdRange) => SqlCondition;
  /** The same at a cost that grows with how many messages have them, wherever they are. */
  readonly messagesByWord: (phrases: readonly Phrase[], range: IdRange) => SqlCondition;
  /** Whether the text of a message `m` of the range has all of the phrases. */
  has(phrases: readonly Phrase[], range: IdRange): SqlCondition;
  /** A query for the IDs of topics whose name has the phrase. */
  topics(phrase: Phrase): SqlCondition;
}

/** The full-text search of a database engine. Both find the same (test/contracts/search.test.ts). */
export abstract class SearchIndex {
  /**
   * A statement that puts the message in whose row is `inserted`, so that it can be found as soon as it is committed;
   * null where that is left for later.
   */
  abstract insertion(words: () => readonly string[]): SqlCondition | null;

  /** Puts in what is new, or takes the place of what the index has. */
  abstract replace(tx: Transaction, what: Indexed, entry: IndexEntry): Promise<void>;

  /** Puts in what was there before there was an index, or what {@link insertion} left for later. */
  abstract add(tx: Transaction, what: Indexed, entries: readonly IndexEntry[]): Promise<void>;

  abstract remove(tx: Transaction, what: Indexed, ids: readonly number[]): Promise<void>;

  /** Takes everything out. */
  abstract clear(tx: Transaction): Promise<void>;

  abstract prepare(db: Queryable, query: SearchQuery): Promise<PreparedSearch>;
}
