import { Injectable } from '@nestjs/common';
import { GuestVisibilityService } from './guest-visibility.service';
import {
  type PeerChange,
  PeerEventsService,
  SubscriptionPeriodService,
} from './subscription-changes.service';
import { addTo, groupBy, groupByList } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { personalDataRemoved } from '../../users/users.module';
import type { SubscriptionChange } from '../channels.hooks';
import { ChannelAudienceService } from '../store/channel-audience.service';
import {
  channelsDisappeared,
  FOR_ARCHIVED_CHANNELS,
  subscriptionsRemoved,
} from '../store/channel-records.api';
import { ChannelSettingsService } from '../store/channel-settings.service';
import { ChannelDirectory, type ChannelRecord, SubscriptionDirectory } from '../store/channel.directory';
import { Subscription } from '../store/channel.entity';

interface EndedRow {
  id: number;
  user_id: number;
  channel_id: number;
}

/**
 * Ends subscriptions: rows, periods and events. Rows stay, so that subscribing again restores the personal settings.
 * Callers check permission. Requires an exclusive transaction.
 */
@Injectable()
export class RemoveSubscribersService {
  constructor(
    private readonly subscriptions: SubscriptionDirectory,
    private readonly periods: SubscriptionPeriodService,
    private readonly settings: ChannelSettingsService,
    private readonly audiences: ChannelAudienceService,
    private readonly peers: PeerEventsService,
    private readonly guests: GuestVisibilityService,
  ) {}

  /**
   * @param departures each channel once, with people who may or may not be subscribed
   * @returns for each channel that anyone left, the people who were subscribed
   */
  async remove(tx: Transaction, departures: readonly SubscriptionChange[]): Promise<SubscriptionChange[]> {
    const visibleBefore = await this.guests.visibleBefore(tx, departures);
    const rows = await this.end(tx, departures);
    if (rows.length === 0) return [];
    tx.touch(
      'subscriptions',
      rows.map((row) => row.id),
    );
    const byChannel = groupBy(rows, (row) => row.channel_id);
    const changes = departures
      .map(({ channel }) => ({ channel, userIds: ascending(byChannel.get(channel.id) ?? []) }))
      .filter((change) => change.userIds.length > 0)
      .sort((a, b) => a.channel.id - b.channel.id);
    this.emit(tx, changes);
    await this.guests.emitLost(tx, visibleBefore);
    return changes;
  }

  /** Ends subscriptions of deactivated accounts, which are hidden until reactivation. */
  async endSuspended(tx: Transaction, channel: ChannelRecord, userIds: readonly number[]): Promise<void> {
    if (userIds.length === 0) return;
    await tx.query(
      'UPDATE subscription SET is_active = ? WHERE is_active = ? AND channel_id = ? AND user_id IN (?)',
      [false, true, channel.id, userIds],
    );
  }

  /** Ends rows and periods, with one statement for all channels that the same people leave. */
  private async end(tx: Transaction, departures: readonly SubscriptionChange[]): Promise<EndedRow[]> {
    const ended: EndedRow[] = [];
    for (const alikeOnes of groupBy(departures, ({ userIds }) => userIds.join()).values()) {
      const channelIds = alikeOnes.map(({ channel }) => channel.id);
      const userIds = alikeOnes[0]?.userIds ?? [];
      const rows = await tx.query<EndedRow>(
        `UPDATE subscription SET is_active = ? WHERE is_active = ? AND channel_id IN (?) AND user_id IN (?)
         RETURNING id, user_id, channel_id`,
        [false, true, channelIds, userIds],
      );
      if (rows.length > 0) await this.periods.close(tx, channelIds, userIds);
      ended.push(...rows);
    }
    return ended;
  }

  private emit(tx: Transaction, changes: readonly SubscriptionChange[]): void {
    const peerChanges = changes.map((change) => this.peerChange(change));
    for (const archived of [false, true]) {
      const some = peerChanges.filter(({ channel }) => channel.isArchived === archived);
      const options = archived ? FOR_ARCHIVED_CHANNELS : {};
      for (const [people, left] of alike(some)) {
        tx.emit(subscriptionsRemoved(left.map(({ channel }) => channel)), people, options);
      }
      for (const [people, lost] of alike(some.map(onlyBlinded))) {
        tx.emit(channelsDisappeared(lost.map(({ channel }) => channel.id)), people, options);
      }
    }
    this.peers.emitRemoved(tx, peerChanges);
  }

  private peerChange({ channel, userIds }: SubscriptionChange): PeerChange & SubscriptionChange {
    const remaining = this.subscriptions.subscribersOf(channel.id).without(userIds);
    return {
      channel,
      userIds,
      viewers: this.audiences.viewers(channel, this.settings.valuesOf(channel), remaining),
    };
  }
}

type Change = Pick<PeerChange, 'channel' | 'userIds'>;

/** The part of a change about people who no longer see the channel. */
function onlyBlinded<C extends PeerChange>(change: C): C {
  return { ...change, userIds: change.userIds.filter((userId) => !change.viewers.has(userId)) };
}

/** Groups people with the same channels. */
function alike<C extends Change>(changes: readonly C[]): [Audience, readonly C[]][] {
  const byUser = new Map<number, C[]>();
  for (const change of changes) {
    for (const userId of change.userIds) addTo(byUser, userId, change);
  }
  const groups = groupByList(byUser, ({ channel }) => channel.id);
  return groups.map(({ userIds, items }) => [Audience.of(userIds), items]);
}

function ascending(rows: readonly EndedRow[]): number[] {
  return rows.map((row) => row.user_id).sort((a, b) => a - b);
}

/**
 * The subscriptions of one account: locked while others rely on them, and suspended while the account is deactivated.
 * Suspended ones are kept but do not count. Suspending and resuming require the exclusive transaction that changes the
 * account.
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
   * Waits for messages that are being sent to channels of the account. Senders lock their channel before their own
   * account, so callers that lock an account and suspend it call this first.
   */
  async lock(tx: Transaction, userId: number): Promise<void> {
    const rows = await this.rowsOf(tx, userId);
    await this.periods.lock(
      tx,
      rows.map((row) => row.channelId),
    );
  }

  /** @returns the channels among these to which the person is subscribed, locked until the transaction ends */
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

  /** Stops messages for the account, and emits its departure to users who see its channels. */
  async suspend(tx: Transaction, userId: number): Promise<void> {
    const channelIds = await this.touch(tx, userId);
    await this.periods.close(tx, channelIds, [userId]);
    this.peers.emitRemoved(tx, this.changes(channelIds, userId));
  }

  /** The opposite of {@link suspend}. Messages sent in between are not delivered later. */
  async resume(tx: Transaction, userId: number): Promise<void> {
    const channelIds = await this.touch(tx, userId);
    await this.periods.open(tx, channelIds, [userId]);
    this.peers.emitAdded(tx, this.changes(channelIds, userId));
  }

  /** Deletes the subscriptions of a deleted person, with all settings and received periods. */
  private async removeAll(tx: Transaction, userId: number): Promise<void> {
    await tx.repository(Subscription).delete({ userId });
    await this.periods.removeAll(tx, userId);
    tx.touch('account-subscriptions', [userId]);
  }

  /** @returns the channels that the account is subscribed to, suspended or not */
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
