import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/database/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import { topicKey } from '../../channels/topic.entity';
import { IndexMessagesService } from '../../messages/index-messages.service';

/** The row of a topic. */
export interface TopicRow {
  readonly id: number;
  readonly channelId: number;
  readonly name: string;
  readonly messageCount: number;
}

const COLUMNS = 'id, channel_id AS "channelId", name, message_count AS "messageCount"';

/** Keeps the rows of topics in step with messages that come from elsewhere or go. */
@Injectable()
export class TopicRowsService {
  constructor(private readonly search: IndexMessagesService) {}

  byId(db: Queryable, topicId: number): Promise<TopicRow> {
    return db.queryOne<TopicRow>(`SELECT ${COLUMNS} FROM topic WHERE id = ?`, [topicId]);
  }

  /** The topic of this name in any case; undefined where there is none. */
  async byName(db: Queryable, channelId: number, name: string): Promise<TopicRow | undefined> {
    const sql = `SELECT ${COLUMNS} FROM topic WHERE channel_id = ? AND name_key = ?`;
    const [row] = await db.query<TopicRow>(sql, [channelId, topicKey(name)]);
    return row;
  }

  /**
   * Finds the topic of this name or makes it, and keeps others from sending to it until the transaction ends. One that
   * was made has no messages: whoever calls this gives it some, or drops it.
   */
  open(tx: Transaction, channelId: number, name: string): Promise<TopicRow> {
    return tx.queryOne<TopicRow>(
      `INSERT INTO topic (channel_id, name, name_key, max_message_id, message_count) VALUES (?, ?, ?, 0, 0)
       ON CONFLICT (channel_id, name_key) DO UPDATE SET message_count = topic.message_count
       RETURNING ${COLUMNS}`,
      [channelId, name, topicKey(name)],
    );
  }

  /** Removes a row that {@link open} made. */
  async drop(tx: Transaction, topicId: number): Promise<void> {
    const sql = 'DELETE FROM topic WHERE id = ? AND message_count = 0 RETURNING id';
    const gone = await tx.query(sql, [topicId]);
    if (gone.length > 0) await this.search.topicRemoved(tx, topicId);
  }

  /** Gives a topic another name, and perhaps another channel, with whatever is in it. The name must be free there. */
  async rename(tx: Transaction, topicId: number, channelId: number, name: string): Promise<void> {
    await tx.query('UPDATE topic SET channel_id = ?, name = ?, name_key = ? WHERE id = ?', [
      channelId,
      name,
      topicKey(name),
      topicId,
    ]);
  }

  /** Counts messages that came, or with a negative number went. The row goes with the last of them. */
  async count(tx: Transaction, topicId: number, change: number): Promise<void> {
    await tx.query(
      `UPDATE topic SET message_count = message_count + ?,
         max_message_id = COALESCE((SELECT MAX(m.id) FROM message m WHERE m.topic_id = topic.id), 0)
       WHERE id = ?`,
      [change, topicId],
    );
    if (change < 0) await this.drop(tx, topicId);
  }
}
