import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { personalDataRemoved } from '../../users/users.module';
import { ChannelAudienceService } from '../store/channel-audience.service';
import { ChannelDirectory } from '../store/channel.directory';
import { Subscription } from '../store/subscription.entity';
import { PeerEventsService, type PeerChange } from './peer-events.service';
import { SubscriptionPeriodService } from './subscription-period.service';

/**
 * The subscriptions of one account: kept from changing while others rely on them, and suspended while the account is
 * deactivated. They stay as they are then, and do not count. Suspending and resuming need the exclusive transaction that
 * changes the account.
 */
@Injectable()
export class AccountSubscriptionsService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly audiences: ChannelAudienceService,
    private readonly periods: SubscriptionPeriodService,
    private readonly peers: PeerEventsService,
    hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, (tx, userId) => this.removeAll(tx, userId));
  }

  /**
   * Waits for messages that are being sent to channels of the account. They lock their channel before their sender, so
   * callers that lock an account and suspend it call this first.
   */
  async lock(tx: Transaction, userId: number): Promise<void> {
    const rows = await this.rowsOf(tx, userId);
    await this.periods.lock(
      tx,
      rows.map((row) => row.channelId),
    );
  }

  /** @returns those of the channels that the person is subscribed to, and stays so until the transaction ends */
  async lockAmong(
    tx: Transaction,
    userId: number,
    channelIds: readonly number[],
  ): Promise<ReadonlySet<number>> {
    if (channelIds.length === 0) return new Set();
    const rows = await tx.query<{ channel_id: number }>(
      `SELECT channel_id FROM subscription WHERE user_id = ? AND channel_id IN (?) AND is_active = ?
       ORDER BY id ${tx.engine === 'postgres' ? 'FOR SHARE' : ''}`,
      [userId, channelIds, true],
    );
    return new Set(rows.map((row) => row.channel_id));
  }

  /** Stops messages for the account, and emits its leaving to users who see its channels. */
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

  /** Removes the subscriptions of a person who is deleted, with all that was set and received through them. */
  private async removeAll(tx: Transaction, userId: number): Promise<void> {
    await tx.repository(Subscription).delete({ userId });
    await this.periods.removeAll(tx, userId);
    tx.touch('account-subscriptions', [userId]);
  }

  /** @returns the channels that the account is subscribed to, whether it counts at the moment or not */
  private async touch(tx: Transaction, userId: number): Promise<number[]> {
    const rows = await this.rowsOf(tx, userId);
    tx.touch(
      'subscriptions',
      rows.map((row) => row.id),
    );
    return rows.map((row) => row.channelId);
  }

  private rowsOf(tx: Transaction, userId: number): Promise<Pick<Subscription, 'id' | 'channelId'>[]> {
    return tx.query(
      'SELECT id, channel_id AS "channelId" FROM subscription WHERE user_id = ? AND is_active = ? ORDER BY channel_id',
      [userId, true],
    );
  }

  private changes(channelIds: readonly number[], userId: number): PeerChange[] {
    return channelIds
      .flatMap((id) => this.channels.byId(id) ?? [])
      .map((channel) => ({ channel, userIds: [userId], viewers: this.audiences.viewersOf(channel) }));
  }
}
