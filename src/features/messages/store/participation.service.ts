import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  type TopicMessages,
  topicMessagesPort,
  topicParticipants,
  type TopicWire,
} from '../../channels/channels.module';
import { loadIds } from './message-rows.service';
import { isOwn } from './personal-conditions';

/** Tells the topics what only messages know: which is the newest, who sent any, and who received any. */
@Injectable()
export class ParticipationService implements TopicMessages {
  constructor(hooks: Hooks) {
    hooks.provide(topicMessagesPort, this);
    hooks.on(topicParticipants, (db, topicId) => this.sendersTo(db, topicId));
  }

  async newestIn(db: Queryable, topicId: number): Promise<number> {
    const sql = 'SELECT COALESCE(MAX(id), 0) AS id FROM message WHERE topic_id = ?';
    return (await db.queryOne<{ id: number }>(sql, [topicId])).id;
  }

  async receivedAmong(
    db: Queryable,
    messageIds: readonly number[],
    userId: number,
  ): Promise<ReadonlySet<number>> {
    return new Set(await loadIds(db, messageIds, isOwn(userId)));
  }

  private async sendersTo(db: Queryable, topicId: number): Promise<number[]> {
    const sql = 'SELECT DISTINCT sender_id AS id FROM message WHERE topic_id = ?';
    return (await db.query<{ id: number }>(sql, [topicId])).map(({ id }) => id);
  }

  /**
   * Of protected history, only what the reader received: in their periods, wherever they have a row of their own, and
   * what was moved here from channels in which they received it. Costs one look-up for each topic and period.
   */
  receivedTopics(db: Queryable, channelId: number, userId: number): Promise<TopicWire[]> {
    return db.query<TopicWire>(
      `SELECT t.name, MAX(own.id) AS max_id FROM (
         SELECT t.id AS topic_id,
           (SELECT m.id FROM message m
            WHERE m.topic_id = t.id AND m.sent_channel_id IS NULL AND m.id >= p.first_message_id
              AND (p.last_message_id IS NULL OR m.id <= p.last_message_id)
            ORDER BY m.id DESC LIMIT 1) AS id
         FROM subscription_period p JOIN topic t ON t.channel_id = p.channel_id
         WHERE p.user_id = ? AND p.channel_id = ? AND t.max_message_id >= p.first_message_id
         UNION ALL
         SELECT m.topic_id, MAX(m.id) FROM message_flag f JOIN message m ON m.id = f.message_id
         WHERE f.user_id = ? AND m.channel_id = ? GROUP BY m.topic_id
         UNION ALL
         SELECT m.topic_id, MAX(m.id) FROM subscription_period p
         JOIN message m ON m.sent_channel_id = p.channel_id AND m.sent_channel_id IS NOT NULL
           AND m.id >= p.first_message_id AND (p.last_message_id IS NULL OR m.id <= p.last_message_id)
         WHERE p.user_id = ? AND m.channel_id = ? GROUP BY m.topic_id
       ) own JOIN topic t ON t.id = own.topic_id
       WHERE own.id IS NOT NULL GROUP BY t.id, t.name ORDER BY max_id DESC`,
      [userId, channelId, userId, channelId, userId, channelId],
    );
  }
}
