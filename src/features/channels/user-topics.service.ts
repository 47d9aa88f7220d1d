import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import type { Queryable } from '../../platform/database/queryable';
import type { Transaction } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import type { ServerEvent } from '../../platform/events/server-event';
import { OrganizationDirectory } from '../organization/organization.directory';
import { ChannelDirectory } from './channel.directory';
import { topicKey } from './topic.entity';
import { TopicVisibility } from './topic-visibility';
import { mutedTopicsReplaced, userTopicChanged } from './user-topics.events';

/** A topic about which a person has said something. */
export interface UserTopicPolicy {
  readonly channelId: number;
  /** As first spelled; empty for the empty topic. */
  readonly topic: string;
  readonly policy: TopicVisibility;
  /** UNIX seconds. */
  readonly lastUpdated: number;
}

interface Row {
  channel_id: number;
  topic_name: string;
  visibility_policy: TopicVisibility;
  last_updated: number;
}

/** Clients that do not declare this are shown the display name instead of the empty one. */
const EMPTY_TOPIC_NAME = 'empty_topic_name';

/** Keeps what people have said about topics. Whether somebody may is the caller's affair. */
@Injectable()
export class UserTopicsService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly clock: Clock,
  ) {}

  /** What a person has said about topics of all channels, in no particular order. */
  async policiesOf(db: Queryable, userId: number): Promise<UserTopicPolicy[]> {
    const rows = await db.query<Row>(
      'SELECT channel_id, topic_name, visibility_policy, last_updated FROM user_topic WHERE user_id = ?',
      [userId],
    );
    return rows.map((row) => ({
      channelId: row.channel_id,
      topic: row.topic_name,
      policy: row.visibility_policy,
      lastUpdated: row.last_updated,
    }));
  }

  /** By user ID, what people have said about a topic in any spelling; those who said nothing are left out. */
  async policiesFor(db: Queryable, channelId: number, topic: string): Promise<Map<number, TopicVisibility>> {
    const rows = await db.query<{ user_id: number; visibility_policy: TopicVisibility }>(
      'SELECT user_id, visibility_policy FROM user_topic WHERE channel_id = ? AND topic_key = ?',
      [channelId, topicKey(topic)],
    );
    return new Map(rows.map((row) => [row.user_id, row.visibility_policy]));
  }

  /**
   * Sets or, with `none`, forgets a policy, and tells the person if that changed anything.
   * @param topic need not have messages; empty for the empty topic
   * @returns whether anything changed
   */
  async set(
    tx: Transaction,
    userId: number,
    channelId: number,
    topic: string,
    policy: TopicVisibility,
  ): Promise<boolean> {
    const now = this.clock.nowSeconds();
    const key = [userId, channelId, topicKey(topic)] as const;
    const name =
      policy === TopicVisibility.none
        ? await forget(tx, key)
        : await store(tx, key, { topic, policy, lastUpdated: now });
    if (name === undefined) return false;
    const muted = (await this.policiesOf(tx, userId)).filter((each) => each.policy === TopicVisibility.muted);
    const topics = muted.map((each) => each.topic);
    this.emit(tx, userId, topics, (shown) => this.mutedTopics(muted, shown));
    this.emit(tx, userId, [name], (shown) => userTopicChanged(channelId, shown(name), policy, now));
    return true;
  }

  /** Topics of archived channels are left out: older clients do not know those channels. */
  private mutedTopics(muted: readonly UserTopicPolicy[], shown: ShownTopic): ServerEvent {
    const rows = muted
      .flatMap((each) => {
        const channel = this.channels.byId(each.channelId);
        return channel && !channel.isArchived ? [{ ...each, channel: channel.name }] : [];
      })
      .sort((a, b) => a.lastUpdated - b.lastUpdated);
    return mutedTopicsReplaced({
      muted_topics: rows.map((each) => [each.channel, shown(each.topic), each.lastUpdated]),
    });
  }

  /** Emits once, or in two forms where the empty topic is among those that the event names. */
  private emit(
    tx: Transaction,
    userId: number,
    topics: readonly string[],
    event: (shown: ShownTopic) => ServerEvent,
  ): void {
    const audience = Audience.of([userId]);
    const asItIs = event((topic) => topic);
    if (!topics.includes('')) {
      tx.emit(asItIs, audience);
      return;
    }
    const displayName = this.organization.settings.empty_topic_display_name;
    tx.emit(asItIs, audience, { requires: EMPTY_TOPIC_NAME });
    tx.emit(
      event((topic) => topic || displayName),
      audience,
      { unless: EMPTY_TOPIC_NAME },
    );
  }
}

/** How a client is shown the name of a topic. */
type ShownTopic = (topic: string) => string;

/** The columns that name a row. */
type Key = readonly [userId: number, channelId: number, topicKey: string];

/** @returns the topic as first spelled, or undefined where the policy is that one already */
async function store(
  tx: Transaction,
  key: Key,
  { topic, policy, lastUpdated }: Omit<UserTopicPolicy, 'channelId'>,
): Promise<string | undefined> {
  const [row] = await tx.query<{ topic_name: string }>(
    `INSERT INTO user_topic (user_id, channel_id, topic_key, topic_name, visibility_policy, last_updated)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (user_id, channel_id, topic_key) DO UPDATE
     SET visibility_policy = excluded.visibility_policy, last_updated = excluded.last_updated
     WHERE user_topic.visibility_policy <> excluded.visibility_policy
     RETURNING topic_name`,
    [...key, topic, policy, lastUpdated],
  );
  return row?.topic_name;
}

/** @returns the topic as first spelled, or undefined where nothing was said about it */
async function forget(tx: Transaction, key: Key): Promise<string | undefined> {
  const [row] = await tx.query<{ topic_name: string }>(
    'DELETE FROM user_topic WHERE user_id = ? AND channel_id = ? AND topic_key = ? RETURNING topic_name',
    key,
  );
  return row?.topic_name;
}
