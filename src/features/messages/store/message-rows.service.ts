import { type PackedColumns, packedNumbers, packedRows } from '../../../platform/sql/packed-rows';
import type { Queryable, SqlValue } from '../../../platform/sql/queryable';
import type { SqlCondition } from './personal-conditions';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Message, MessageFlag } from './message.entity';
import { MessageFact } from './message-flags';

/** Largest ID that the column holds. */
export const MAX_MESSAGE_ID = 2_147_483_647;

/** A stretch of message IDs, both ends included. */
export interface IdRange {
  readonly low: number;
  readonly high: number;
}

/** Every message. */
export const ALL_MESSAGES: IdRange = { low: 1, high: MAX_MESSAGE_ID };

/** Where a message is and whom it concerns, without what it says. */
export interface MessageHead {
  readonly id: number;
  readonly senderId: number;
  /** The channel it is in now; null for direct messages. */
  readonly channelId: number | null;
  /** The channel it was sent to, where that is another one. */
  readonly sentChannelId: number | null;
  readonly topicId: number | null;
  readonly topicName: string | null;
  readonly conversationId: number | null;
  /** Bits: see message-flags.ts. */
  readonly facts: number;
  readonly groupMentionSetId: number | null;
  readonly topicMentionSetId: number | null;
}

/** The part of a message that tells who received it. */
export type Receivable = Pick<MessageHead, 'id' | 'channelId' | 'sentChannelId'>;

/** Stands for the channel a message was sent to where rows of people say who received it: no channel has this ID. */
export const SENT_TO_NOBODY = 0;

/** The channel that decides who received a message, wherever the message is now; null for a direct one. */
export function channelSentTo({ sentChannelId, channelId }: Omit<Receivable, 'id'>): number | null {
  return sentChannelId ?? channelId;
}

/** A message as its row and that of its topic tell. */
export interface MessageRow extends MessageHead {
  /** Markdown. */
  readonly content: string;
  /** HTML. */
  readonly renderedContent: string;
  readonly clientName: string;
  /** UNIX seconds, as the two times below. */
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

/** Loads messages, ascending by ID. IDs that do not exist are left out. */
export function loadMessages(db: Queryable, ids: readonly number[]): Promise<MessageRow[]> {
  return load(db, WHOLE, ids);
}

/** The same for very many messages, of which only the heads are needed. The IDs may be any numbers. */
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

/** The channels that messages are in. The IDs may be any numbers. */
export async function loadChannelIds(db: Queryable, ids: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    'SELECT DISTINCT channel_id AS id FROM message WHERE id IN (?) AND channel_id IS NOT NULL',
    [possibleIds(ids)],
  );
  return rows.map((row) => row.id);
}

/** Those of the messages `m` that fulfil a condition. The IDs may be any numbers. */
export function loadIds(
  db: Queryable,
  ids: readonly number[],
  { sql, values }: SqlCondition,
): Promise<number[]> {
  const rest = `FROM message m WHERE m.id IN (?) AND (${sql})`;
  return packedNumbers(db, 'm.id', rest, [possibleIds(ids), ...values]);
}

/** Those that can be IDs of messages. */
export function possibleIds(ids: readonly number[]): number[] {
  return ids.filter((id) => id > 0 && id <= MAX_MESSAGE_ID);
}

/** Where messages go; what is left out stays as it is. */
export interface NewPlace {
  readonly topicId?: number;
  readonly channelId?: number;
  /** UNIX seconds; omitted for a move that is not shown as one. */
  readonly movedAt?: number;
}

/** Writes what becomes of the rows of messages after they were sent. They are locked, and the caller has checked rights. */
@Injectable()
export class MessageRowsService {
  /** Keeps others from changing the message, and what hangs on it, until the transaction ends. */
  async lock(tx: Transaction, messageId: number): Promise<void> {
    if (tx.engine === 'sqlite') return;
    await tx.query('SELECT id FROM message WHERE id IN (?) FOR NO KEY UPDATE', [possibleIds([messageId])]);
  }

  /** A message; null where it is gone. */
  async find(db: Queryable, messageId: number): Promise<MessageRow | null> {
    const [message] = await loadMessages(db, [messageId]);
    return message ?? null;
  }

  /** Replaces the rendering of a locked message, without an edit. */
  async replaceRendering(tx: Transaction, messageId: number, html: string): Promise<void> {
    await tx.query('UPDATE message SET rendered_content = ? WHERE id = ?', [html, messageId]);
  }

  /** Notes on a locked message that it has reactions, so that narrows need not look for them. */
  noteReaction(tx: Transaction, messageId: number): void {
    const fact = MessageFact.hasReaction;
    const sql = 'UPDATE message SET facts = facts | ? WHERE id = ? AND (facts & ?) = 0';
    tx.atEnd(sql, [fact, messageId, fact]);
  }

  /** Takes the note back, once the last reaction is gone. */
  async noteNoReactions(tx: Transaction, messageId: number): Promise<void> {
    const sql = 'UPDATE message SET facts = facts & ? WHERE id = ?';
    await tx.query(sql, [~MessageFact.hasReaction, messageId]);
  }

  /** Puts locked messages into another topic or channel. */
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

  /** Deletes messages with the flags on them. What else refers to them has to be gone already. */
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
