import { type PackedColumns, packedNumbers, packedRows } from '../../../platform/sql/packed-rows';
import type { Queryable, SqlValue } from '../../../platform/sql/queryable';
import type { SqlCondition } from './personal-conditions';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Message, MessageFlag } from './message.entity';
import { MessageFact } from './message-flags';

/** The largest ID that the column can store. */
export const MAX_MESSAGE_ID = 2_147_483_647;

/** A range of message IDs, inclusive at both ends. */
export interface IdRange {
  readonly low: number;
  readonly high: number;
}

/** Every message. */
export const ALL_MESSAGES: IdRange = { low: 1, high: MAX_MESSAGE_ID };

/** A message without its content: its place and the people it affects. */
export interface MessageHead {
  readonly id: number;
  readonly senderId: number;
  /** Its current channel; null for direct messages. */
  readonly channelId: number | null;
  /** The channel to which it was sent, if that is a different one. */
  readonly sentChannelId: number | null;
  readonly topicId: number | null;
  readonly topicName: string | null;
  readonly conversationId: number | null;
  /** A bit set: see message-flags.ts. */
  readonly facts: number;
  readonly groupMentionSetId: number | null;
  readonly topicMentionSetId: number | null;
}

/** The properties of a message that determine who received it. */
export type Receivable = Pick<MessageHead, 'id' | 'channelId' | 'sentChannelId'>;

/** A placeholder for the original channel of messages whose recipients have rows instead: no channel has this ID. */
export const SENT_TO_NOBODY = 0;

/** The channel that determines who received a message, even after a move; null for a direct message. */
export function channelSentTo({ sentChannelId, channelId }: Omit<Receivable, 'id'>): number | null {
  return sentChannelId ?? channelId;
}

/** A message with the data of its own row and its topic's row. */
export interface MessageRow extends MessageHead {
  /** Markdown. */
  readonly content: string;
  /** HTML. */
  readonly renderedContent: string;
  readonly clientName: string;
  /** UNIX seconds, like the two times below. */
  readonly sentAt: number;
  readonly lastEditedAt: number | null;
  readonly lastMovedAt: number | null;
}

const HEAD: PackedColumns<MessageHead> = {
  id: 'm.id',
  senderId: 'm.sender_id',
  channelId: 'm.channel_id',
  sentChannelId: 'm.sent_channel_id',
  topicId: 'm.topic_id',
  topicName: 't.name',
  conversationId: 'm.conversation_id',
  facts: 'm.facts',
  groupMentionSetId: 'm.group_mention_set_id',
  topicMentionSetId: 'm.topic_mention_set_id',
};

const WHOLE: PackedColumns<MessageRow> = {
  ...HEAD,
  content: 'm.content',
  renderedContent: 'm.rendered_content',
  clientName: 'm.client_name',
  sentAt: 'm.sent_at',
  lastEditedAt: 'm.last_edited_at',
  lastMovedAt: 'm.last_moved_at',
};

/** Loads messages, ascending by ID. Skips IDs that do not exist. */
export function loadMessages(db: Queryable, ids: readonly number[]): Promise<MessageRow[]> {
  return load(db, WHOLE, ids);
}

/** Like `loadMessages`, for very many messages of which only the heads are needed. Accepts any numbers as IDs. */
export function loadMessageHeads(db: Queryable, ids: readonly number[]): Promise<MessageHead[]> {
  return load(db, HEAD, ids);
}

async function load<Row extends MessageHead>(
  db: Queryable,
  columns: PackedColumns<Row>,
  ids: readonly number[],
): Promise<Row[]> {
  const rest = 'FROM message m LEFT JOIN topic t ON t.id = m.topic_id WHERE m.id IN (?)';
  const rows = await packedRows(db, columns, rest, [possibleIds(ids)]);
  return rows.sort((one, other) => one.id - other.id);
}

/** The channels that contain the messages. Accepts any numbers as IDs. */
export async function loadChannelIds(db: Queryable, ids: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    'SELECT DISTINCT channel_id AS id FROM message WHERE id IN (?) AND channel_id IS NOT NULL',
    [possibleIds(ids)],
  );
  return rows.map((row) => row.id);
}

/** The messages `m` that meet a condition. Accepts any numbers as IDs. */
export function loadIds(
  db: Queryable,
  ids: readonly number[],
  { sql, values }: SqlCondition,
): Promise<number[]> {
  const rest = `FROM message m WHERE m.id IN (?) AND (${sql})`;
  return packedNumbers(db, 'm.id', rest, [possibleIds(ids), ...values]);
}

/** Filters out numbers that cannot be IDs of messages. */
export function possibleIds(ids: readonly number[]): number[] {
  return ids.filter((id) => id > 0 && id <= MAX_MESSAGE_ID);
}

/** The destination of moved messages; omitted properties do not change. */
export interface NewPlace {
  readonly topicId?: number;
  readonly channelId?: number;
  /** UNIX seconds; omitted for a move that is not shown as one. */
  readonly movedAt?: number;
}

/** Updates and deletes the rows of sent messages. They are locked, and the caller has checked permissions. */
@Injectable()
export class MessageRowsService {
  /** Locks the message and everything attached to it until the transaction ends. */
  async lock(tx: Transaction, messageId: number): Promise<void> {
    if (tx.engine === 'sqlite') return;
    await tx.query('SELECT id FROM message WHERE id IN (?) FOR NO KEY UPDATE', [possibleIds([messageId])]);
  }

  /** A message; null if it no longer exists. */
  async find(db: Queryable, messageId: number): Promise<MessageRow | null> {
    const [message] = await loadMessages(db, [messageId]);
    return message ?? null;
  }

  /** Replaces the rendered content of a locked message, which does not count as an edit. */
  async replaceRendering(tx: Transaction, messageId: number, html: string): Promise<void> {
    await tx.query('UPDATE message SET rendered_content = ? WHERE id = ?', [html, messageId]);
  }

  /** Records on a locked message that it has reactions, so that narrows need not search for them. */
  noteReaction(tx: Transaction, messageId: number): void {
    const fact = MessageFact.hasReaction;
    const sql = 'UPDATE message SET facts = facts | ? WHERE id = ? AND (facts & ?) = 0';
    tx.atEnd(sql, [fact, messageId, fact]);
  }

  /** Clears that fact after the last reaction is removed. */
  async noteNoReactions(tx: Transaction, messageId: number): Promise<void> {
    const sql = 'UPDATE message SET facts = facts & ? WHERE id = ?';
    await tx.query(sql, [~MessageFact.hasReaction, messageId]);
  }

  /** Moves locked messages to another topic or channel. */
  async move(
    tx: Transaction,
    messageIds: readonly number[],
    { topicId, channelId, movedAt }: NewPlace,
  ): Promise<void> {
    const assignments: string[] = [];
    const values: SqlValue[] = [];
    const set = (assignment: string, value: number | undefined) => {
      if (value === undefined) return;
      assignments.push(assignment);
      values.push(value);
    };
    const sent = 'COALESCE(sent_channel_id, channel_id)';
    set('topic_id = ?', topicId);
    set(`sent_channel_id = CASE WHEN ${sent} = ? THEN NULL ELSE ${sent} END`, channelId);
    set('channel_id = ?', channelId);
    set('last_moved_at = ?', movedAt);
    if (assignments.length === 0) return;
    await tx.query(`UPDATE message SET ${assignments.join(', ')} WHERE id IN (?)`, [...values, messageIds]);
  }

  /** Deletes messages and the flags on them. Everything else that refers to them must be deleted before. */
  async remove(
    tx: Transaction,
    messageIds: readonly number[],
    conversationIds: Iterable<number>,
  ): Promise<void> {
    await tx.repository(MessageFlag).delete({ messageId: In([...messageIds]) });
    await tx.repository(Message).delete({ id: In([...messageIds]) });
    for (const id of conversationIds) {
      await tx.query(
        `UPDATE direct_conversation SET
           max_message_id = COALESCE((SELECT MAX(id) FROM message WHERE conversation_id = direct_conversation.id), 0)
         WHERE id = ?`,
        [id],
      );
    }
  }
}
