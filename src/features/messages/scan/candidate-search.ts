import type { Queryable } from '../../../platform/sql/queryable';
import { Flag } from '../store/message-flags';
import type { IdRange } from '../store/message-rows.service';
import { allOf, condition, hasFlag, isOwn, type SqlCondition } from '../store/personal-conditions';

/**
 * Finds messages that may match a term, range by range, through an index on the term. Unless the term is exact, each
 * candidate is tested afterwards.
 */
export interface CandidateSearch {
  /** Queries for the IDs of candidates within a range; several may return the same message. */
  readonly idsIn: (range: IdRange) => readonly SqlCondition[];
  /** Like `idsIn`, for terms with few candidates in total, if a different plan is better then. */
  readonly idsOfFew?: (range: IdRange) => readonly SqlCondition[];
  /** The condition that all candidates within a range are known to meet, so it need not be tested. */
  implied(range: IdRange): SqlCondition;
}

/** A term of a narrow as a database condition. */
export interface Resolved {
  readonly condition: SqlCondition;
  /** Omitted if only testing each message helps. */
  readonly lead?: CandidateSearch;
  /** Whether results of the lead need no further test. */
  readonly isExact?: boolean;
  /** Whether any other lead is better. */
  readonly isLastResort?: boolean;
}

/** A search for messages `m` through an index that yields the matches in the order of their IDs. */
export function messagesWith(one: SqlCondition): CandidateSearch {
  const idsIn = ({ low, high }: IdRange) => [
    condition(
      `SELECT m.id FROM message m WHERE (${one.sql}) AND m.id BETWEEN ? AND ?`,
      ...one.values,
      low,
      high,
    ),
  ];
  return { idsIn, implied: () => one };
}

/** A search for messages in topics. @param topicIds a query for their IDs */
export function messagesInTopics(topicIds: SqlCondition): CandidateSearch {
  const idsIn = ({ low, high }: IdRange) => [
    condition(
      `SELECT m.id FROM (${topicIds.sql}) t CROSS JOIN message m WHERE m.topic_id = t.id AND m.id BETWEEN ? AND ?`,
      ...topicIds.values,
      low,
      high,
    ),
  ];
  const isIn = condition(`m.topic_id IN (${topicIds.sql})`, ...topicIds.values);
  return { idsIn, implied: () => isIn };
}

/** A search for messages in direct conversations. @param conversationIds a query for their IDs */
export function messagesInConversations(conversationIds: SqlCondition): CandidateSearch {
  const idsIn = ({ low, high }: IdRange) => [
    condition(
      `SELECT m.id FROM (${conversationIds.sql}) d
       CROSS JOIN message m WHERE m.conversation_id = d.id AND m.id BETWEEN ? AND ?`,
      ...conversationIds.values,
      low,
      high,
    ),
  ];
  const isIn = condition(`m.conversation_id IN (${conversationIds.sql})`, ...conversationIds.values);
  return { idsIn, implied: () => isIn };
}

/**
 * A search for messages in topics, and in channels that the person has muted. @param topicIds a query for the topics'
 * IDs
 */
export function mutedMessages(userId: number, topicIds: SqlCondition): CandidateSearch {
  const idsIn = (range: IdRange) => [
    ...messagesInTopics(topicIds).idsIn(range),
    condition(
      `SELECT m.id FROM subscription s CROSS JOIN message m
       WHERE m.channel_id = s.channel_id AND s.user_id = ? AND s.is_active = ? AND s.is_muted = ?
         AND m.id BETWEEN ? AND ?`,
      userId,
      true,
      true,
      range.low,
      range.high,
    ),
  ];
  return { idsIn, implied: () => allOf() };
}

/** A search for messages for which the person's row has one of the flags. */
export function flaggedMessages(userId: number, flags: number): CandidateSearch {
  const idsIn = ({ low, high }: IdRange) => [
    condition(
      `SELECT f.message_id AS id FROM message_flag f
       WHERE f.user_id = ? AND (f.flags & ?) <> 0 AND f.message_id BETWEEN ? AND ?`,
      userId,
      flags,
      low,
      high,
    ),
  ];
  return { idsIn, implied: () => hasFlag(userId, flags) };
}

/**
 * A search for a person's own messages. It starts from their subscriptions and conversations, so its cost grows with
 * what they have, not with what the server stores.
 * @param only leaves out messages that cannot be anywhere else
 */
export function ownMessages(
  userId: number,
  only: { readonly channelId?: number; readonly direct?: boolean } = {},
): CandidateSearch {
  const { channelId } = only;
  const idsIn = (range: IdRange) => {
    const inChannels = [sentHere(userId, range, channelId), movedHere(userId, range, channelId)];
    if (channelId !== undefined) return [...inChannels, touched(userId, range)];
    if (only.direct) return [direct(userId, range)];
    return [...inChannels, direct(userId, range), touched(userId, range)];
  };
  return { idsIn, implied: () => isOwn(userId) };
}

/** A search for messages that may mention a person: by name, or as part of a group. */
export function mentioningMessages(userId: number): CandidateSearch {
  const inPerson = flaggedMessages(userId, Flag.mentioned | Flag.topicWildcardMentioned);
  const idsIn = (range: IdRange) => [
    ...inPerson.idsIn(range),
    condition(
      // Must repeat the condition of a partial index, which covers few messages, word for word.
      `SELECT m.id FROM message m
       WHERE ((m.facts & 1) <> 0 OR m.group_mention_set_id IS NOT NULL OR m.topic_mention_set_id IS NOT NULL)
         AND m.id BETWEEN ? AND ?`,
      range.low,
      range.high,
    ),
  ];
  return { idsIn, implied: () => allOf() };
}

/** A search for messages that both searches find. */
export function both(one: CandidateSearch, other: CandidateSearch): CandidateSearch {
  const idsIn = (range: IdRange) => {
    const sides = [one, other].map((each) => union(each.idsIn(range)));
    return [
      {
        sql: sides.map(({ sql }) => `SELECT id FROM (${sql}) side`).join(' INTERSECT '),
        values: sides.flatMap(({ values }) => values),
      },
    ];
  };
  return { idsIn, implied: (range) => allOf(one.implied(range), other.implied(range)) };
}

/** One query for the results of several, without duplicates. */
export function union(queries: readonly SqlCondition[]): SqlCondition {
  return {
    sql: queries.map(({ sql }) => sql).join(' UNION '),
    values: queries.flatMap(({ values }) => values),
  };
}

/**
 * The join from candidates `c` to their messages `m` by ID, regardless of what the planner expects of the other
 * conditions.
 */
export function messagesOf({ engine }: Queryable, findsFew = false): string {
  // The cross join makes SQLite start with the candidates. With an index it would try, for each of them, everything
  // that another condition lists.
  if (engine === 'sqlite') return 'message m NOT INDEXED';
  // PostgreSQL may scan all messages to join them with a range, but not with a few out of ten million: a subquery with
  // an offset cannot be merged.
  return findsFew ? 'LATERAL (SELECT * FROM message WHERE id = c.id OFFSET 0) m' : 'message m';
}

/** The part of a subscription period that lies within the range. */
function withinPeriod({ low, high }: IdRange): SqlCondition {
  return condition(
    `m.id BETWEEN CASE WHEN p.first_message_id > ? THEN p.first_message_id ELSE ? END
       AND CASE WHEN p.last_message_id < ? THEN p.last_message_id ELSE ? END
     AND p.first_message_id <= ? AND (p.last_message_id IS NULL OR p.last_message_id >= ?)`,
    low,
    low,
    high,
    high,
    high,
    low,
  );
}

function sentHere(userId: number, range: IdRange, channelId?: number): SqlCondition {
  const { sql, values } = allOf(
    condition('p.user_id = ?', userId),
    ...(channelId === undefined ? [] : [condition('p.channel_id = ?', channelId)]),
    withinPeriod(range),
  );
  return condition(
    `SELECT m.id FROM subscription_period p
     CROSS JOIN message m WHERE m.channel_id = p.channel_id AND m.sent_channel_id IS NULL AND ${sql}`,
    ...values,
  );
}

function movedHere(userId: number, range: IdRange, channelId?: number): SqlCondition {
  const { sql, values } = allOf(
    condition('p.user_id = ?', userId),
    ...(channelId === undefined ? [] : [condition('m.channel_id = ?', channelId)]),
    withinPeriod(range),
  );
  return condition(
    `SELECT m.id FROM subscription_period p
     CROSS JOIN message m WHERE m.sent_channel_id = p.channel_id AND m.sent_channel_id IS NOT NULL AND ${sql}`,
    ...values,
  );
}

function direct(userId: number, { low, high }: IdRange): SqlCondition {
  return condition(
    `SELECT m.id FROM direct_conversation_member d
     CROSS JOIN message m WHERE m.conversation_id = d.conversation_id AND d.user_id = ? AND m.id BETWEEN ? AND ?`,
    userId,
    low,
    high,
  );
}

function touched(userId: number, { low, high }: IdRange): SqlCondition {
  return condition(
    'SELECT f.message_id AS id FROM message_flag f WHERE f.user_id = ? AND f.message_id BETWEEN ? AND ?',
    userId,
    low,
    high,
  );
}

/** Width of the first range to scan, unless more results are needed; later ones grow. */
export const FIRST_STRETCH = 16;
/** How much wider the next range is after one with few results. */
export const STRETCH_GROWTH = 8;
/** Other requests get a turn after each statement, so no statement may take long, however many messages there are. */
export const WIDEST_STRETCH = 250_000;

/** Up to this width, testing every message of a range is cheaper than searching for candidates. */
export const TESTED_ONE_BY_ONE = 256;

/** The widths of ranges. */
export interface RangeWidths {
  readonly first: number;
  readonly most: number;
}

/**
 * Cuts a range into smaller ones that grow with the distance from the start of the scan: a person with many messages is
 * served from the first one, and a person with few is done after a few ranges.
 */
export function* stretches(
  { low, high }: IdRange,
  direction: 'older' | 'newer',
  { first, most }: RangeWidths,
): Generator<IdRange> {
  let width = Math.min(first, most);
  let [from, to] = [low, high];
  while (from <= to) {
    if (direction === 'older') {
      const start = Math.max(from, to - width + 1);
      yield { low: start, high: to };
      to = start - 1;
    } else {
      const end = Math.min(to, from + width - 1);
      yield { low: from, high: end };
      from = end + 1;
    }
    width = Math.min(width * STRETCH_GROWTH, most);
  }
}
