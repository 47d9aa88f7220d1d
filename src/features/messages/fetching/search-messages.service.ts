import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import type { CandidateSearch, Resolved } from '../scan/candidate-search';
import { ALL_MESSAGES, type IdRange } from '../store/message-rows.service';
import { allOf, anyOf, condition, NEVER, type SqlCondition } from '../store/sql-condition';
import { SearchIndex, type PreparedSearch } from './search-index';
import type { Phrase, SearchQuery } from './search-query';

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
    const named = await phrasesOfTopics(db, prepared, query.phrases);
    const idsIn = (range: IdRange) => {
      const inText = prepared.messages(query.phrases, range);
      return named.length === 0
        ? [inText]
        : [inText, withTopic(prepared, query.phrases, new Set(named), range)];
    };
    const lead: CandidateSearch = { idsIn, implied: (range) => isOneOf(idsIn(range)) };
    return { condition: lead.implied(ALL_MESSAGES), lead, isExact: true };
  }
}

/** Those that the name of any topic has: mostly none. */
async function phrasesOfTopics(
  db: Queryable,
  prepared: PreparedSearch,
  phrases: readonly Phrase[],
): Promise<Phrase[]> {
  const named: Phrase[] = [];
  for (const phrase of phrases) {
    const { sql, values } = prepared.topics(phrase);
    const [topic] = await db.query(`SELECT id FROM (${sql}) named LIMIT 1`, values);
    if (topic) named.push(phrase);
  }
  return named;
}

/** Messages whose topic has at least one of the phrases, and that have the others. */
function withTopic(
  prepared: PreparedSearch,
  phrases: readonly Phrase[],
  named: ReadonlySet<Phrase>,
  range: IdRange,
): SqlCondition {
  const inTopic = (phrase: Phrase) => isIn('m.topic_id', prepared.topics(phrase));
  const inText = (some: readonly Phrase[]) => isIn('m.id', prepared.messages(some, range));
  const others = phrases.filter((phrase) => !named.has(phrase));
  const { sql, values } = allOf(
    anyOf(...Array.from(named, inTopic)),
    ...(named.size === 1 ? [] : Array.from(named, (phrase) => anyOf(inTopic(phrase), inText([phrase])))),
    ...(others.length === 0 ? [] : [inText(others)]),
    condition('m.id BETWEEN ? AND ?', range.low, range.high),
  );
  return condition(`SELECT m.id FROM message m WHERE ${sql}`, ...values);
}

function isOneOf(queries: readonly SqlCondition[]): SqlCondition {
  // The sign keeps SQLite from scanning all matches for each message in question.
  return anyOf(...queries.map((query) => isIn('+m.id', query)));
}

function isIn(column: string, { sql, values }: SqlCondition): SqlCondition {
  return condition(`${column} IN (SELECT id FROM (${sql}) found)`, ...values);
}
