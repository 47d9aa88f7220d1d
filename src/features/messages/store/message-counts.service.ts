import { Injectable } from '@nestjs/common';
import { loadIds } from './message-rows.service';
import { isOwn } from './personal-conditions';
import { Database } from '../../../platform/database/database.service';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import {
  type MessageCounts,
  messageCountsPort,
  type TopicMessages,
  topicMessagesPort,
  topicParticipants,
  type TopicWire,
} from '../../channels/channels.module';

const SECONDS_A_DAY = 86_400;

/** How many existing messages a person sent, and the ID of the newest one. */
interface SentMessages {
  readonly count: number;
  readonly newestId: number;
}

/** Finds and counts messages by sender and time. IDs increase with time, and there is no index on the time. */
@Injectable()
export class MessageCountsService implements MessageCounts {
  constructor(
    private readonly database: Database,
    hooks: Hooks,
  ) {
    hooks.provide(messageCountsPort, this);
  }

  /** The newest ID; 0 if there are no messages. */
  async newestId(db: Queryable): Promise<number> {
    const [row] = await db.query<{ id: number | null }>('SELECT MAX(id) AS id FROM message');
    return row?.id ?? 0;
  }

  /** @returns null for a person who sent no messages */
  async sentBy(db: Queryable, userId: number): Promise<SentMessages | null> {
    const [row] = await db.query<{ count: number; newest: number | null }>(
      'SELECT COUNT(*) AS count, MAX(id) AS newest FROM message WHERE sender_id = ?',
      [userId],
    );
    return row && row.newest !== null ? { count: Number(row.count), newestId: row.newest } : null;
  }

  /** The last ID sent before a time, by binary search. @param time UNIX seconds */
  async lastIdBefore(time: number): Promise<number> {
    let low = 0;
    let high = await this.newestId(this.database.read);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const [row] = await this.database.read.query<{ sent_at: number }>(
        'SELECT sent_at FROM message WHERE id <= ? ORDER BY id DESC LIMIT 1',
        [middle],
      );
      if (!row || row.sent_at < time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** How many messages each channel received after one ID and up to another, by days since 1970. */
  async countByChannel(
    after: number,
    last: number,
  ): Promise<{ channelId: number; day: number; messages: number }[]> {
    const rows = await this.database.read.query<{ channel_id: number; day: number; messages: number }>(
      `SELECT channel_id, sent_at / ${SECONDS_A_DAY} AS day, COUNT(*) AS messages FROM message
       WHERE id > ? AND id <= ? AND channel_id IS NOT NULL GROUP BY channel_id, sent_at / ${SECONDS_A_DAY}`,
      [after, last],
    );
    return rows.map(({ channel_id: channelId, day, messages }) => ({ channelId, day, messages }));
  }
}

/** Provides the facts about topics that come from messages: the newest one, who sent any, and who received any. */
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
   * With protected history, only topics of messages that the reader received: within their periods, with a row of their
   * own, or moved here from channels where they received them. Costs one lookup per topic and period.
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
