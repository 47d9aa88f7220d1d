import type { Queryable } from '../../platform/database/queryable';

/** A message as its row and that of its topic tell. */
export interface MessageRow {
  readonly id: number;
  readonly senderId: number;
  /** The channel it is in now; null for direct messages. */
  readonly channelId: number | null;
  /** The channel it was sent to, where that is another one. */
  readonly sentChannelId: number | null;
  readonly topicId: number | null;
  readonly topicName: string | null;
  readonly conversationId: number | null;
  /** Markdown. */
  readonly content: string;
  /** HTML. */
  readonly renderedContent: string;
  readonly clientName: string;
  /** UNIX seconds, as the two times below. */
  readonly sentAt: number;
  readonly lastEditedAt: number | null;
  readonly lastMovedAt: number | null;
  /** Bits: see message-facts.ts. */
  readonly facts: number;
  readonly groupMentionSetId: number | null;
  readonly topicMentionSetId: number | null;
}

const SELECT = `SELECT m.id, m.sender_id AS "senderId", m.channel_id AS "channelId",
  m.sent_channel_id AS "sentChannelId", m.topic_id AS "topicId", t.name AS "topicName",
  m.conversation_id AS "conversationId", m.content, m.rendered_content AS "renderedContent",
  m.client_name AS "clientName", m.sent_at AS "sentAt", m.last_edited_at AS "lastEditedAt",
  m.last_moved_at AS "lastMovedAt", m.facts, m.group_mention_set_id AS "groupMentionSetId",
  m.topic_mention_set_id AS "topicMentionSetId"
  FROM message m LEFT JOIN topic t ON t.id = m.topic_id`;

/** Loads messages, ascending by ID. IDs that do not exist are left out. */
export function loadMessages(db: Queryable, ids: readonly number[]): Promise<MessageRow[]> {
  return db.query<MessageRow>(`${SELECT} WHERE m.id IN (?) ORDER BY m.id`, [ids]);
}
