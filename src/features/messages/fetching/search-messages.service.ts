import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import type { CandidateSearch, Resolved } from '../scan/candidate-search';
import { ALL_MESSAGES, type IdRange } from '../store/message-rows.service';
import { allOf, anyOf, condition, NEVER, type SqlCondition } from '../store/personal-conditions';
import { SearchIndex, type PreparedSearch } from './search-index';
import type { Phrase, SearchQuery } from './search-query';

/** What is looked for. */
interface Search {
  readonly prepared: PreparedSearch;
  readonly phrases: readonly Phrase[];
  /** Those that the name of any topic has. */
  readonly named: ReadonlySet<Phrase>;
}

/**
 * Finds messages by their words. Each phrase has to be in the text of the message or in the name of its topic.
 * The two are indexed apart, so that a topic with many messages can be renamed at no cost.
 */
@Injectable()
export class SearchMessagesService {
  constructor(private readonly index: SearchIndex) {}

  /** @param query null for a text without words, which no message has */
  async find(db: Queryable, query: SearchQuery | null): Promise<Resolved> {
    if (!query) return { condition: NEVER };
    const prepared = await this.index.prepare(db, query);
    const search = { prepared, phrases: query.phrases, named: await phrasesOfTopics(db, prepared, query) };
    const test = fulfilled(search, ALL_MESSAGES);
    if (prepared.isFrequent) return { condition: test };
    const lead: CandidateSearch = {
      idsIn: (range) => idsOf(search, range, prepared.messages),
      idsOfFew: (range) => idsOf(search, range, prepared.messagesByWord),
      implied: (range) => fulfilled(search, range),
    };
    return { condition: test, lead, isExact: true };
  }
}

/** Those that the name of any topic has: mostly none. */
async function phrasesOfTopics(
  db: Queryable,
  prepared: PreparedSearch,
  { phrases }: SearchQuery,
): Promise<ReadonlySet<Phrase>> {
  const named = new Set<Phrase>();
  for (const phrase of phrases) {
    const { sql, values } = prepared.topics(phrase);
    const [topic] = await db.query(`SELECT id FROM (${sql}) named LIMIT 1`, values);
    if (topic) named.add(phrase);
  }
  return named;
}

/** What a message `m` fulfils that has each phrase in its text or in the name of its topic. */
function fulfilled({ prepared, phrases, named }: Search, range: IdRange): SqlCondition {
  const others = phrases.filter((phrase) => !named.has(phrase));
  return allOf(
    ...Array.from(named, (phrase) => anyOf(inTopic(prepared, phrase), prepared.has([phrase], range))),
    ...(others.length === 0 ? [] : [prepared.has(others, range)]),
  );
}

/** Queries for those that have all phrases in their text, and for those that do not need to. */
function idsOf(search: Search, range: IdRange, messages: PreparedSearch['messages']): SqlCondition[] {
  const { phrases, named } = search;
  return [messages(phrases, range), ...(named.size === 0 ? [] : [withTopic(search, range, messages)])];
}

/** Messages whose topic has at least one of the phrases, and that have the others. */
function withTopic(
  { prepared, phrases, named }: Search,
  range: IdRange,
  messages: PreparedSearch['messages'],
): SqlCondition {
  const inText = (some: readonly Phrase[]) => isIn('m.id', messages(some, range));
  const others = phrases.filter((phrase) => !named.has(phrase));
  const { sql, values } = allOf(
    anyOf(...Array.from(named, (phrase) => inTopic(prepared, phrase))),
    ...(named.size === 1
      ? []
      : Array.from(named, (phrase) => anyOf(inTopic(prepared, phrase), inText([phrase])))),
    ...(others.length === 0 ? [] : [inText(others)]),
    condition('m.id BETWEEN ? AND ?', range.low, range.high),
  );
  return condition(`SELECT m.id FROM message m WHERE ${sql}`, ...values);
}

function inTopic(prepared: PreparedSearch, phrase: Phrase): SqlCondition {
  return isIn('m.topic_id', prepared.topics(phrase));
}

function isIn(column: string, { sql, values }: SqlCondition): SqlCondition {
  return condition(`${column} IN (SELECT id FROM (${sql}) found)`, ...values);
}
