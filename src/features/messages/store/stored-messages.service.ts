import { Injectable } from '@nestjs/common';
import type { SqlValue } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';

/** Where messages go; what is left out stays as it is. */
export interface NewPlace {
  readonly topicId?: number;
  readonly channelId?: number;
  /** UNIX seconds; left out for a move that nobody is shown as one. */
  readonly movedAt?: number;
}

/** Writes what becomes of the rows of messages after they were sent. They are locked, and whether somebody may is decided. */
@Injectable()
export class StoredMessagesService {
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
    await tx.query('DELETE FROM message_flag WHERE message_id IN (?)', [messageIds]);
    await tx.query('DELETE FROM message WHERE id IN (?)', [messageIds]);
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
