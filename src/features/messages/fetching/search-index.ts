import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { IdRange } from '../store/message-rows.service';
import type { SqlCondition } from '../store/personal-conditions';
import type { Phrase, SearchQuery } from './search-query';

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
