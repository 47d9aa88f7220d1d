import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import { lockChannels } from '../store/channel-locks';
import { messageCountsPort } from '../store/messages.hooks';
import type { Transaction } from '../../../platform/database/transaction.service';
import { SubscriptionPeriod } from '../store/subscription.entity';

/**
 * Keeps the stretches of message IDs during which people were subscribed. A person receives
 * what is sent to a channel while their period is open, so sending writes nothing for each reader.
 */
@Injectable()
export class SubscriptionPeriodService {
  constructor(private readonly hooks: Hooks) {}

  /** Begins a period with the next message for those of the people who are subscribed; none may be open. */
  async open(tx: Transaction, channelIds: readonly number[], userIds: readonly number[]): Promise<void> {
    await this.lock(tx, channelIds);
    await tx.query(
      `INSERT INTO subscription_period (user_id, channel_id, first_message_id)
       SELECT user_id, channel_id, ? FROM subscription
       WHERE user_id IN (?) AND channel_id IN (?) AND is_active = ?`,
      [(await this.newestMessageId(tx)) + 1, userIds, channelIds, true],
    );
  }

  /** Ends open periods with the newest message. Those in which nothing was sent at all are dropped. */
  async close(tx: Transaction, channelIds: readonly number[], userIds: readonly number[]): Promise<void> {
    await this.lock(tx, channelIds);
    const newest = await this.newestMessageId(tx);
    await tx.query(
      `DELETE FROM subscription_period
       WHERE user_id IN (?) AND channel_id IN (?) AND last_message_id IS NULL AND first_message_id > ?`,
      [userIds, channelIds, newest],
    );
    await tx.query(
      `UPDATE subscription_period SET last_message_id = ?
       WHERE user_id IN (?) AND channel_id IN (?) AND last_message_id IS NULL`,
      [newest, userIds, channelIds],
    );
  }

  /** Waits for messages that are being sent to the channels; the next ones wait for this transaction. */
  lock(tx: Transaction, channelIds: readonly number[]): Promise<void> {
    return lockChannels(tx, channelIds, 'alone');
  }

  /** Forgets what a person who is deleted received. */
  async removeAll(tx: Transaction, userId: number): Promise<void> {
    await tx.repository(SubscriptionPeriod).delete({ userId });
  }

  private newestMessageId(tx: Transaction): Promise<number> {
    return this.hooks.provider(messageCountsPort)?.newestId(tx) ?? Promise.resolve(0);
  }
}
