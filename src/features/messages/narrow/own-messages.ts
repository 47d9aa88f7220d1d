import { allOf, condition, type SqlCondition } from './sql-condition';

/** Which of a person's own messages are looked for. */
export interface OwnMessages {
  readonly userId: number;
  /** Only what is in this channel now. */
  readonly channelId?: number;
  /** Only direct messages. */
  readonly onlyDirect?: boolean;
}

/** A stretch of message IDs, both ends included. */
export interface IdRange {
  readonly low: number;
  readonly high: number;
}

/**
 * A query for the IDs of a person's own messages within a stretch. It goes from the person's subscriptions and
 * conversations to their messages, so its cost follows what the person has and not what the server holds.
 */
export function ownMessageIds({ userId, channelId, onlyDirect }: OwnMessages, range: IdRange): SqlCondition {
  const parts =
    channelId !== undefined
      ? [sentHere(userId, range, channelId), movedHere(userId, range, channelId), touched(userId, range)]
      : onlyDirect
        ? [direct(userId, range)]
        : [sentHere(userId, range), movedHere(userId, range), direct(userId, range), touched(userId, range)];
  return {
    sql: parts.map(({ sql }) => sql).join(' UNION '),
    values: parts.flatMap(({ values }) => values),
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
