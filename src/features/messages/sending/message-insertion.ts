import type { SqlValue, Statement } from '../../../platform/sql/queryable';
import { NEXT_MESSAGE_ID } from '../store/message-order';
import type { MessageRow } from '../store/message-rows.service';
import { condition, type SqlCondition } from '../store/sql-condition';

/** A message that has no ID yet. */
export type NewMessage = Omit<MessageRow, 'id'>;

const COLUMNS = `channel_id, content, rendered_content, client_name, sent_at, facts,
  group_mention_set_id, topic_mention_set_id`;

/** In the order of {@link COLUMNS}. */
function valuesOf(row: NewMessage): SqlValue[] {
  return [
    row.channelId,
    row.content,
    row.renderedContent,
    row.clientName,
    row.sentAt,
    row.facts,
    row.groupMentionSetId,
    row.topicMentionSetId,
  ];
}

const PLACES = '?, ?, ?, ?, ?, ?, ?, ?';

/** What the statements give back. */
export interface Inserted {
  readonly id: number;
  readonly conversationId: number | null;
  readonly topicId: number | null;
  /** How many messages the topic has with this one, where the same statement counted it. */
  readonly count: number | null;
}

/** Inserts a message whose topic or conversation is open already. */
export function insertionOnSqlite(row: NewMessage): Statement {
  const sql = `INSERT INTO message (sender_id, topic_id, conversation_id, ${COLUMNS}) VALUES (?, ?, ?, ${PLACES})
     RETURNING id`;
  return { sql, parameters: [row.senderId, row.topicId, row.conversationId, ...valuesOf(row)] };
}

/**
 * The sender may leave between the checks of a message and its row. Deleting an account locks its row, and counts what it
 * sent after that, so whichever comes second sees the first.
 */
const SENDER = 'SELECT id FROM account WHERE id = ? AND is_active FOR KEY SHARE';

/** A direct message has none. */
const NO_TOPIC = condition('SELECT NULL::integer AS id, NULL::integer AS message_count, 0 AS max_message_id');

/** A message to a channel has none. */
const NO_CONVERSATION = condition('SELECT NULL::integer AS id');

/** Where a message goes, as parts of the statement that inserts it. */
export interface PlaceStatements {
  /** Counts it into the topic, and gives the topic's new row: its `max_message_id` is that of the message, or 0. */
  readonly topic?: SqlCondition;
  /** Locks the conversation, and gives its `id`, or no row where it is not there. */
  readonly conversation?: SqlCondition;
}

/**
 * Counts a message into its topic, inserts it and makes it found, all in one statement: every other one is a round trip, for
 * which the row of the topic or conversation stays locked. Gives no row where the sender left, or where the conversation
 * is not there.
 * @param indexing puts the row of `inserted` into the index for searching
 */
export function insertionOnPostgres(
  row: NewMessage,
  indexing: SqlCondition | null,
  { topic = NO_TOPIC, conversation = NO_CONVERSATION }: PlaceStatements,
): Statement {
  const sql = `WITH topic_row AS (${topic.sql}), conversation_row AS MATERIALIZED (${conversation.sql}),
     sender AS MATERIALIZED (${SENDER}), inserted AS (
       INSERT INTO message (id, sender_id, topic_id, conversation_id, ${COLUMNS})
       SELECT CASE topic_row.max_message_id WHEN 0 THEN ${NEXT_MESSAGE_ID} ELSE topic_row.max_message_id END,
         sender.id, topic_row.id, conversation_row.id, ${PLACES}
       FROM topic_row CROSS JOIN conversation_row CROSS JOIN sender RETURNING id, topic_id, conversation_id),
     indexed AS (${indexing?.sql ?? 'SELECT'})
     SELECT inserted.id, inserted.topic_id AS "topicId", inserted.conversation_id AS "conversationId",
       topic_row.message_count AS count
     FROM inserted CROSS JOIN topic_row`;
  const values = [...topic.values, ...conversation.values, row.senderId, ...valuesOf(row)];
  return { sql, parameters: [...values, ...(indexing?.values ?? [])] };
}
