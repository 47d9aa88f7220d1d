import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import { ChannelAccess } from '../access/channel.access';
import { ChannelDirectory } from '../store/channel.directory';
import type { Requester as Reader } from '../../user-groups/user-groups.module';
import { topicKey, visibleTopic } from './topic-rows.service';
import { topicMessagesPort } from './topics.hooks';

/** A topic as a user typed it. */
interface NamedTopic {
  readonly channelId: number;
  readonly topic: string;
}

/** The ID of the newest message of a topic, in any spelling; undefined where there is none. */
export type NewestByTopic = (channelId: number, topic: string) => number | undefined;

interface NewestRow {
  readonly channelId: number;
  readonly nameKey: string;
  readonly messageId: number;
}

/** Finds the newest messages of topics by their names. */
@Injectable()
export class NewestMessagesService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelAccess,
    private readonly hooks: Hooks,
  ) {}

  /** Those of any topics. */
  async of(db: Queryable, named: readonly NamedTopic[]): Promise<NewestByTopic> {
    return lookUp(await this.rows(db, named));
  }

  /** Those that the reader may read: nothing of other channels, and of protected history what they received. */
  async readable(db: Queryable, reader: Reader, named: readonly NamedTopic[]): Promise<NewestByTopic> {
    const rows = await this.rows(
      db,
      named.filter(({ channelId }) => this.isReached(reader, channelId)),
    );
    const protectedIds = rows
      .filter(({ channelId }) => !this.channels.byId(channelId)?.isHistoryPublicToSubscribers)
      .map(({ messageId }) => messageId);
    if (protectedIds.length === 0) return lookUp(rows);
    const messages = this.hooks.provider(topicMessagesPort);
    const received = await messages?.receivedAmong(db, protectedIds, reader.userId);
    const hidden = new Set(protectedIds.filter((id) => !received?.has(id)));
    return lookUp(rows.filter(({ messageId }) => !hidden.has(messageId)));
  }

  private isReached(reader: Reader, channelId: number): boolean {
    const channel = this.channels.byId(channelId);
    return channel !== undefined && this.access.hasContentAccess(reader, channel);
  }

  private async rows(db: Queryable, named: readonly NamedTopic[]): Promise<NewestRow[]> {
    if (named.length === 0) return [];
    return db.query<NewestRow>(
      `SELECT channel_id AS "channelId", name_key AS "nameKey", max_message_id AS "messageId" FROM topic
       WHERE channel_id IN (?) AND name_key IN (?) AND message_count > 0`,
      [
        [...new Set(named.map(({ channelId }) => channelId))],
        [...new Set(named.map(({ topic }) => keyOf(topic)))],
      ],
    );
  }
}

/** What the topic is stored under. */
function keyOf(topic: string): string {
  return topicKey(visibleTopic(topic));
}

function lookUp(rows: readonly NewestRow[]): NewestByTopic {
  const found = new Map(
    rows.map(({ channelId, nameKey, messageId }) => [`${channelId} ${nameKey}`, messageId]),
  );
  return (channelId, topic) => found.get(`${channelId} ${keyOf(topic)}`);
}
