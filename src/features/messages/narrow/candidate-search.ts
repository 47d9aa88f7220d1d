import { Flag } from '../message-flags';
import { isOwn } from './personal-conditions';
import { allOf, condition, type SqlCondition } from './sql-condition';

/** A stretch of message IDs, both ends included. */
export interface IdRange {
  readonly low: number;
  readonly high: number;
}

/**
 * Finds the messages that may fulfil a narrow, stretch by stretch, where no index leads from its conditions to
 * them. What it finds is tested all the same.
 */
export interface CandidateSearch {
  /** A query for the IDs of the candidates within a stretch. */
  idsIn(range: IdRange): SqlCondition;
  /** What all candidates fulfil, so that it need not be tested on them. */
  readonly implied: SqlCondition;
}

/**
 * A person's own messages. The search goes from his subscriptions and conversations to their messages, so its
 * cost follows what he has and not what the server holds.
 * @param only leaves out what can be in no other place
 */
export function ownMessages(
  userId: number,
  only: { readonly channelId?: number; readonly direct?: boolean } = {},
): CandidateSearch {
  const { channelId } = only;
  const idsIn = (range: IdRange) => {
    const inChannels = [sentHere(userId, range, channelId), movedHere(userId, range, channelId)];
    if (channelId !== undefined) return union(...inChannels, touched(userId, range));
    if (only.direct) return direct(userId, range);
    return union(...inChannels, direct(userId, range), touched(userId, range));
  };
  return { idsIn, implied: isOwn(userId) };
}

/** Messages that may mention a person: by name, or together with others. */
export function mentioningMessages(userId: number): CandidateSearch {
  const idsIn = ({ low, high }: IdRange) =>
    union(
      condition(
        `SELECT f.message_id AS id FROM message_flag f
         WHERE f.user_id = ? AND (f.flags & ?) <> 0 AND f.message_id BETWEEN ? AND ?`,
        userId,
        Flag.mentioned | Flag.topicWildcardMentioned,
        low,
        high,
      ),
      condition(
        // Word for word the condition of a partial index, which holds few messages.
        `SELECT m.id FROM message m
         WHERE ((m.facts & 1) <> 0 OR m.group_mention_set_id IS NOT NULL OR m.topic_mention_set_id IS NOT NULL)
           AND m.id BETWEEN ? AND ?`,
        low,
        high,
      ),
    );
  return { idsIn, implied: allOf() };
}

function union(...queries: readonly SqlCondition[]): SqlCondition {
  return {
    sql: queries.map(({ sql }) => sql).join(' UNION '),
    values: queries.flatMap(({ values }) => values),
  };
}

/** The part of a subscription period that lies within the stretch. */
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
