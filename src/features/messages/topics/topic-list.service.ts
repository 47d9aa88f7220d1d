import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import type { Queryable } from '../../../platform/database/queryable';
import { ChannelAccess } from '../../channels/channel.access';
import { OrganizationDirectory } from '../../organization/organization.directory';
import type { Requester as Reader } from '../../user-groups/permission.service';
import type { TopicWire } from '../messages.wire';

interface TopicRow {
  readonly name: string;
  readonly max_id: number;
}

/** Lists the topics of channels (spec, endpoint 8). */
@Injectable()
export class TopicListService {
  constructor(
    private readonly database: Database,
    private readonly access: ChannelAccess,
    private readonly organization: OrganizationDirectory,
  ) {}

  /**
   * The topics that the reader may see, the one with the newest message first. Archived channels are listed too.
   * @param allowEmptyName whether the empty topic is shown as it is instead of under its display name
   * @throws InvalidChannelId
   */
  async list(reader: Reader, channelId: number, allowEmptyName: boolean): Promise<TopicWire[]> {
    const channel = this.access.forContent(reader, channelId, { archived: true });
    const db = this.database.read;
    const rows = channel.isHistoryPublicToSubscribers
      ? await this.allTopics(db, channelId)
      : await this.receivedTopics(db, channelId, reader.userId);
    const shownName = allowEmptyName ? '' : this.organization.settings.empty_topic_display_name;
    return rows.map(({ name, max_id }) => ({ name: name === '' ? shownName : name, max_id }));
  }

  private allTopics(db: Queryable, channelId: number): Promise<TopicRow[]> {
    return db.query<TopicRow>(
      `SELECT name, max_message_id AS max_id FROM topic
       WHERE channel_id = ? AND message_count > 0 ORDER BY max_message_id DESC`,
      [channelId],
    );
  }

  /**
   * Of protected history, only what the reader received: in their periods, wherever they have a row of their own, and
   * what was moved here from channels in which they received it. One look-up for each topic and period.
   */
  private receivedTopics(db: Queryable, channelId: number, userId: number): Promise<TopicRow[]> {
    return db.query<TopicRow>(
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
