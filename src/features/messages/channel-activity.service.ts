import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import type { Transaction } from '../../platform/database/transaction.service';
import { SnapshotRegistry } from '../../platform/events/snapshot-registry';
import { ChannelAudienceService } from '../channels/channel-audience.service';
import { ChannelRecordsService } from '../channels/channel-records.service';
import { ChannelSettingsService } from '../channels/channel-settings.service';
import { channelActivityChanged } from '../channels/channel-update.events';
import type { ChannelRecord } from '../channels/channel.directory';
import { SubscriptionDirectory } from '../channels/subscription.directory';
import { topicKey } from '../channels/topic.entity';
import { nameWords } from './search/message-words';
import { SearchIndex } from './search/search-index';

/** How exactly the time of a channel's last message is kept. */
const SECONDS_A_DAY = 86_400;

/** The row of a topic that a message is being written to. */
export interface OpenTopic {
  readonly id: number;
  /** Whether the message is the only one of the topic. */
  readonly isNew: boolean;
}

/** Keeps the rows of channels and topics in step with their messages. */
@Injectable()
export class ChannelActivityService {
  constructor(
    private readonly snapshots: SnapshotRegistry,
    private readonly clock: Clock,
    private readonly records: ChannelRecordsService,
    private readonly settings: ChannelSettingsService,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly audiences: ChannelAudienceService,
    private readonly search: SearchIndex,
  ) {}

  /**
   * Keeps everybody from subscribing, leaving and changing the channels until the transaction ends, so that
   * the subscribers in memory are those who receive what is sent now. SQLite writes one thing at a time
   * anyway.
   * @param options `forUpdate` where {@link noteMessage} or another change of their rows will follow, which keeps out
   *   other messages as well
   */
  async lock(
    tx: Transaction,
    channelIds: readonly number[],
    { forUpdate }: { readonly forUpdate: boolean },
  ): Promise<void> {
    if (tx.engine === 'sqlite') return;
    const strength = forUpdate ? 'NO KEY UPDATE' : 'SHARE';
    await tx.query(`SELECT id FROM channel WHERE id IN (?) ORDER BY id FOR ${strength}`, [channelIds]);
    await this.snapshots.catchUp();
  }

  /** Whether a message has to be noted in the channel's own row, which takes an exclusive transaction. */
  isDue(channel: ChannelRecord): boolean {
    const { firstMessageId, lastMessageAt } = channel;
    if (firstMessageId === null || lastMessageAt === null) return true;
    return this.clock.nowSeconds() - lastMessageAt >= SECONDS_A_DAY;
  }

  /** Notes a message in the row of its channel. Needs an exclusive transaction. */
  async noteMessage(
    tx: Transaction,
    channel: ChannelRecord,
    messageId: number,
    sentAt: number,
  ): Promise<void> {
    await tx.query(
      'UPDATE channel SET first_message_id = COALESCE(first_message_id, ?), last_message_at = ? WHERE id = ?',
      [messageId, sentAt, channel.id],
    );
    tx.touch('channels', [channel.id]);
    if (this.records.record(channel).is_recently_active) return;
    const subscribers = this.subscriptions.subscribersOf(channel.id);
    const viewers = this.audiences.viewers(channel, this.settings.valuesOf(channel), subscribers);
    tx.emit(channelActivityChanged(channel, true), viewers);
  }

  /**
   * Counts a message into its topic before the message has an ID. The topic's row stays locked until the
   * transaction ends, so IDs rise within a topic in the order in which its messages become visible.
   */
  async openTopic(tx: Transaction, channelId: number, name: string): Promise<OpenTopic> {
    const { id, message_count: count } = await tx.queryOne<{ id: number; message_count: number }>(
      `INSERT INTO topic (channel_id, name, name_key, max_message_id, message_count) VALUES (?, ?, ?, 0, 1)
       ON CONFLICT (channel_id, name_key)
       DO UPDATE SET name = excluded.name, message_count = topic.message_count + 1
       RETURNING id, message_count`,
      [channelId, name, topicKey(name)],
    );
    const isNew = count === 1;
    if (isNew) await this.search.replace(tx, 'topic', { id, words: nameWords(name) });
    return { id, isNew };
  }

  /** Notes the message that {@link openTopic} made room for as the topic's newest. */
  async closeTopic(tx: Transaction, topicId: number, messageId: number): Promise<void> {
    await tx.query('UPDATE topic SET max_message_id = ? WHERE id = ?', [messageId, topicId]);
  }
}
