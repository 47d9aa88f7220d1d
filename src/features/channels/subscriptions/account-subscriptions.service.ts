import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { ChannelAudienceService } from '../store/channel-audience.service';
import { ChannelDirectory } from '../store/channel.directory';
import { PeerEventsService, type PeerChange } from './peer-events.service';
import { SubscriptionPeriodService } from './subscription-period.service';

/**
 * What happens to the subscriptions of an account that is deactivated or reactivated: they stay as they
 * are, and do not count in between. Needs the exclusive transaction that changes the account.
 */
@Injectable()
export class AccountSubscriptionsService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly audiences: ChannelAudienceService,
    private readonly periods: SubscriptionPeriodService,
    private readonly peers: PeerEventsService,
  ) {}

  /**
   * Waits for messages that are being sent to channels of the account. They lock their channel before their sender, so
   * whoever locks an account and suspends it calls this first.
   */
  async lock(tx: Transaction, userId: number): Promise<void> {
    const rows = await this.rowsOf(tx, userId);
    await this.periods.lock(
      tx,
      rows.map((row) => row.channel_id),
    );
  }

  /** The account receives no more messages, and those who see its channels hear that it left (reference E7). */
  async suspend(tx: Transaction, userId: number): Promise<void> {
    const channelIds = await this.touch(tx, userId);
    await this.periods.close(tx, channelIds, [userId]);
    this.peers.emitRemoved(tx, this.changes(channelIds, userId));
  }

  /** The opposite of {@link suspend}. What was sent in between is not received later. */
  async resume(tx: Transaction, userId: number): Promise<void> {
    const channelIds = await this.touch(tx, userId);
    await this.periods.open(tx, channelIds, [userId]);
    this.peers.emitAdded(tx, this.changes(channelIds, userId));
  }

  /** @returns the channels that the account is subscribed to, whether it counts at the moment or not */
  private async touch(tx: Transaction, userId: number): Promise<number[]> {
    const rows = await this.rowsOf(tx, userId);
    tx.touch(
      'subscriptions',
      rows.map((row) => row.id),
    );
    return rows.map((row) => row.channel_id);
  }

  private rowsOf(tx: Transaction, userId: number): Promise<{ id: number; channel_id: number }[]> {
    return tx.query(
      'SELECT id, channel_id FROM subscription WHERE user_id = ? AND is_active = ? ORDER BY channel_id',
      [userId, true],
    );
  }

  private changes(channelIds: readonly number[], userId: number): PeerChange[] {
    return channelIds
      .flatMap((id) => this.channels.byId(id) ?? [])
      .map((channel) => ({ channel, userIds: [userId], viewers: this.audiences.viewersOf(channel) }));
  }
}
