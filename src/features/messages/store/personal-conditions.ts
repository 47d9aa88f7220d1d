import { Flag, MessageFact } from './message-flags';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Queryable, SqlValue } from '../../../platform/sql/queryable';

/** An SQL condition with the values of its placeholders. */
export interface SqlCondition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A condition that is never met. */
export const NEVER: SqlCondition = { sql: '1 = 0', values: [] };

/** A condition with its parameters in the order of the question marks. */
export function condition(sql: string, ...values: readonly SqlValue[]): SqlCondition {
  return { sql, values };
}

/** Negates a condition; unknown counts as false, since a direct message is not in any channel. */
export function not({ sql, values }: SqlCondition): SqlCondition {
  return { sql: `(${sql}) IS NOT TRUE`, values };
}

/** A condition that any of these is met; never, if there are none. */
export function anyOf(...conditions: readonly SqlCondition[]): SqlCondition {
  return joined(conditions, ' OR ');
}

/** A condition that all of these are met; true if there are none. */
export function allOf(...conditions: readonly SqlCondition[]): SqlCondition {
  return conditions.length === 0 ? condition('1 = 1') : joined(conditions, ' AND ');
}

function joined(conditions: readonly SqlCondition[], operator: string): SqlCondition {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(operator),
    values: conditions.flatMap(({ values }) => values),
  };
}

/** Conditions on a message `m` that depend on one person. */

/** The person received the message, or has a row for it. */
export function isOwn(userId: number): SqlCondition {
  return anyOf(
    condition(
      'm.conversation_id IN (SELECT conversation_id FROM direct_conversation_member WHERE user_id = ?)',
      userId,
    ),
    condition(
      `EXISTS (SELECT 1 FROM subscription_period p
       WHERE p.user_id = ? AND p.channel_id = COALESCE(m.sent_channel_id, m.channel_id)
         AND m.id >= p.first_message_id AND (p.last_message_id IS NULL OR m.id <= p.last_message_id))`,
      userId,
    ),
    condition('EXISTS (SELECT 1 FROM message_flag f WHERE f.user_id = ? AND f.message_id = m.id)', userId),
  );
}

/**
 * The message is where it was sent, or is in a channel that the person is subscribed to, or the person has a row for
 * it. Messages moved into other channels are no longer among the person's own.
 */
export function hasNotMovedAway(userId: number): SqlCondition {
  return condition(
    `m.sent_channel_id IS NULL
     OR EXISTS (SELECT 1 FROM subscription s WHERE s.user_id = ? AND s.channel_id = m.channel_id AND s.is_active = ?)
     OR EXISTS (SELECT 1 FROM message_flag f WHERE f.user_id = ? AND f.message_id = m.id)`,
    userId,
    true,
    userId,
  );
}

/** The person's row for the message has one of the flags. */
export function hasFlag(userId: number, flags: number): SqlCondition {
  return condition(
    `EXISTS (SELECT 1 FROM message_flag f WHERE f.user_id = ? AND f.message_id = m.id AND (f.flags & ?) <> 0)`,
    userId,
    flags,
  );
}

/** The person is mentioned: by name, through a group or by a wildcard. */
export function isMentioned(userId: number): SqlCondition {
  const sets = 'SELECT set_id FROM mention_set_member WHERE user_id = ?';
  const shared = anyOf(
    condition('(m.facts & ?) <> 0', MessageFact.channelWildcard),
    condition(`m.group_mention_set_id IN (${sets})`, userId),
    condition(`m.topic_mention_set_id IN (${sets})`, userId),
  );
  const inPerson = hasFlag(userId, Flag.mentioned | Flag.topicWildcardMentioned);
  return anyOf(inPerson, allOf(shared, not(hasFlag(userId, Flag.historical))));
}

/** A query for the topics for which the person has one of the visibility policies. */
export function topicsWithPolicy(userId: number, policies: readonly number[]): SqlCondition {
  return condition(
    `SELECT t.id FROM user_topic u JOIN topic t ON t.channel_id = u.channel_id AND t.name_key = u.topic_key
     WHERE u.user_id = ? AND u.visibility_policy IN (?)`,
    userId,
    policies,
  );
}

/** The person has muted the message's channel. */
export function isInMutedChannel(userId: number): SqlCondition {
  return condition(
    'm.channel_id IN (SELECT channel_id FROM subscription WHERE user_id = ? AND is_active = ? AND is_muted = ?)',
    userId,
    true,
    true,
  );
}

/**
 * On PostgreSQL a message gets its ID before it becomes visible, so a lower ID may appear after a higher one. A sender
 * holds this lock, shared with other senders, from before the assignment of the ID until the commit; a transaction that
 * holds it exclusively knows that no message is in flight. SQLite has a single writer and does not need it.
 */
const MESSAGE_LOCK = 7_275_273;

/** The ID of a new message on PostgreSQL, as an expression that first takes the lock. */
export const NEXT_MESSAGE_ID = `CASE WHEN pg_advisory_xact_lock_shared(${MESSAGE_LOCK}) IS NOT NULL
  THEN nextval('message_id_seq') END`;

/**
 * The newest message, while no other becomes visible before the transaction commits. Waits for messages that are being
 * sent, and blocks new ones, so call it first in a short transaction.
 */
export async function newestSettledMessage(tx: Transaction): Promise<number> {
  if (tx.engine === 'postgres') await tx.query(`SELECT pg_advisory_xact_lock(${MESSAGE_LOCK})`);
  return newestMessageId(tx);
}

/** The newest visible message; 0 if there are none. */
export async function newestMessageId(db: Queryable): Promise<number> {
  const [row] = await db.query<{ id: number | null }>('SELECT MAX(id) AS id FROM message');
  return row?.id ?? 0;
}
