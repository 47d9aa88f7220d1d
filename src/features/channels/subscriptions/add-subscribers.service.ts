import { Injectable } from '@nestjs/common';
import { addTo, groupBy, groupByList } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import type { EmitOptions } from '../../../platform/events/server-event';
import type { ChannelRecord } from '../store/channel.directory';
import { ChannelAudienceService } from '../store/channel-audience.service';
import type { SubscriptionChange } from '../channels.hooks';
import { ChannelRecordsService } from '../store/channel-records.service';
import { ChannelSettingsService } from '../store/channel-settings.service';
import {
  channelsAppeared,
  type ChannelSettingValues,
  FOR_ARCHIVED_CHANNELS,
  personalSettingsWire,
  subscriptionsAdded,
  type SubscriptionWire,
} from '../store/channel-records.api';
import { GuestVisibilityService, type VisibleBefore } from './guest-visibility.service';
import { type PeerChange, PeerEventsService } from './peer-events.service';
import { SubscriptionDirectory } from '../store/subscription.directory';
import { type StoredRow, SubscriptionRowsService } from './subscription-rows.service';

/** A channel and who is to be subscribed to it. */
export interface Addition {
  readonly channel: ChannelRecord;
  /** The permissions of a channel made in this transaction, which is not in memory yet. */
  readonly settings?: ChannelSettingValues;
  /** Active accounts; those subscribed already are left as they are. */
  readonly userIds: readonly number[];
  /** Colour of new subscriptions; without one, everybody gets the first one not in use. */
  readonly color?: string;
}

/** An {@link Addition} with everything known, and only those people who are not subscribed yet. */
type Pending = Addition & Required<Pick<Addition, 'settings'>>;

/**
 * Subscribes people: rows, periods and events. Permission is the
 * caller's affair. Needs an exclusive transaction.
 */
@Injectable()
export class AddSubscribersService {
  constructor(
    private readonly subscriptions: SubscriptionDirectory,
    private readonly rows: SubscriptionRowsService,
    private readonly settings: ChannelSettingsService,
    private readonly records: ChannelRecordsService,
    private readonly audiences: ChannelAudienceService,
    private readonly peers: PeerEventsService,
    private readonly guests: GuestVisibilityService,
  ) {}

  /** @returns for each addition, who was not subscribed before */
  async add(tx: Transaction, additions: readonly Addition[]): Promise<SubscriptionChange[]> {
    const pending = additions
      .map((addition): Pending => ({
        ...addition,
        settings: addition.settings ?? this.settings.valuesOf(addition.channel),
        userIds: this.newcomersOf(addition),
      }))
      .filter(({ userIds }) => userIds.length > 0)
      .sort((a, b) => a.channel.id - b.channel.id);
    if (pending.length === 0) return [];
    const changes = pending.map(({ channel, userIds }): SubscriptionChange => ({ channel, userIds }));
    const visibleBefore = await this.guests.visibleBefore(tx, changes);
    const rows = await this.rows.write(tx, pending);
    await this.emit(tx, pending, rows, visibleBefore);
    return changes;
  }

  private newcomersOf({ channel, userIds }: Addition): number[] {
    return [...new Set(userIds)]
      .filter((userId) => !this.subscriptions.isSubscribed(userId, channel.id))
      .sort((a, b) => a - b);
  }

  private async emit(
    tx: Transaction,
    additions: readonly Pending[],
    rows: readonly StoredRow[],
    visibleBefore: VisibleBefore,
  ): Promise<void> {
    for (const archived of [false, true]) {
      const some = additions.filter(({ channel }) => channel.isArchived === archived);
      const options = archived ? FOR_ARCHIVED_CHANNELS : {};
      this.showChannels(tx, some, options);
      this.tellSubscribers(tx, some, rows, options);
    }
    await this.guests.emitGained(tx, visibleBefore);
    this.peers.emitAdded(
      tx,
      additions.map((addition) => this.peerChange(addition)),
    );
  }

  private peerChange({ channel, settings, userIds }: Pending): PeerChange {
    const before = this.subscriptions.subscribersOf(channel.id);
    return { channel, userIds, viewers: this.audiences.viewers(channel, settings, before) };
  }

  /** People who could not see a channel before learn that it exists, several channels in one event. */
  private showChannels(tx: Transaction, additions: readonly Pending[], options: EmitOptions): void {
    const unseen = new Map<number, Pending[]>();
    for (const addition of additions) {
      const { viewers } = this.peerChange(addition);
      for (const userId of addition.userIds) {
        if (viewers.has(userId)) continue;
        addTo(unseen, userId, addition);
      }
    }
    for (const { userIds, items } of groupByList(unseen, ({ channel }) => channel.id)) {
      const records = items.map(({ channel, settings }) =>
        this.records.recordWith(channel, settings, this.subscriptions.subscriberCount(channel.id)),
      );
      tx.emit(channelsAppeared(records), Audience.of(userIds), options);
    }
  }

  /** One event for all people whose subscriptions look the same, which differ by colour at most as a rule. */
  private tellSubscribers(
    tx: Transaction,
    additions: readonly Pending[],
    rows: readonly StoredRow[],
    options: EmitOptions,
  ): void {
    const channels = new Map(additions.map((addition) => [addition.channel.id, this.channelPart(addition)]));
    const byUser = groupBy(
      rows.filter((row) => channels.has(row.channel_id)),
      (row) => row.user_id,
    );
    const look = (row: StoredRow) => JSON.stringify([row.channel_id, personalSettingsWire(row)]);
    for (const { userIds, items } of groupByList(byUser, look)) {
      const records = items.map((row): SubscriptionWire => {
        const { subscribers, ...channel } = channels.get(row.channel_id) as ChannelPart;
        return { ...channel, ...personalSettingsWire(row), subscribers };
      });
      tx.emit(subscriptionsAdded(records), Audience.of(userIds), options);
    }
  }

  private channelPart({ channel, settings, userIds }: Pending): ChannelPart {
    const subscribers = this.subscriptions.subscribersOf(channel.id).union(Audience.of(userIds));
    return {
      ...this.records.recordWith(channel, settings, subscribers.size),
      subscribers: [...subscribers.ids()],
    };
  }
}

type ChannelPart = ReturnType<ChannelRecordsService['recordWith']> & { readonly subscribers: number[] };
