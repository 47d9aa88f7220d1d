import { Injectable } from '@nestjs/common';
import { freeColor, hasFreeColor } from './personal-settings';
import { GuestVisibilityService, type VisibleBefore } from './guest-visibility.service';
import {
  type PeerChange,
  PeerEventsService,
  SubscriptionPeriodService,
} from './subscription-changes.service';
import { addTo, groupBy, groupByList } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import type { EmitOptions } from '../../../platform/events/server-event';
import type { SubscriptionChange } from '../channels.hooks';
import { ChannelAudienceService } from '../store/channel-audience.service';
import {
  channelsAppeared,
  type ChannelSettingValues,
  FOR_ARCHIVED_CHANNELS,
  personalSettingsWire,
  type SubscriptionRow,
  subscriptionsAdded,
  type SubscriptionWire,
} from '../store/channel-records.api';
import { ChannelRecordsService } from '../store/channel-records.service';
import { ChannelSettingsService } from '../store/channel-settings.service';
import { type ChannelRecord, SubscriptionDirectory } from '../store/channel.directory';

/** A channel, and people to subscribe who are not subscribed yet. */
interface NewSubscriptions {
  readonly channel: Pick<ChannelRecord, 'id'>;
  readonly userIds: readonly number[];
  /** Color of new rows; by default, each person's first unused color. */
  readonly color?: string;
}

/** The stored row of a subscription. */
interface StoredRow extends SubscriptionRow {
  readonly id: number;
  readonly user_id: number;
}

/** People with this many subscriptions usually use all colors of the palette. */
const ENOUGH = 100;

const ROW_COLUMNS = `id, user_id, channel_id, color, is_muted, is_pinned, desktop_notifications,
  audible_notifications, push_notifications, email_notifications, wildcard_mentions_notify`;

/** Writes the rows of subscriptions. */
@Injectable()
export class SubscriptionRowsService {
  constructor(private readonly periods: SubscriptionPeriodService) {}

  /** Restores the rows of former subscribers, including their settings, and creates the others. */
  async write(tx: Transaction, additions: readonly NewSubscriptions[]): Promise<StoredRow[]> {
    const colors = await this.colorsInUse(tx, additions);
    const written: StoredRow[][] = [];
    for (const { channel, userIds, color } of additions) {
      const restored = await tx.query<StoredRow>(
        `UPDATE subscription SET is_active = ? WHERE channel_id = ? AND user_id IN (?) RETURNING ${ROW_COLUMNS}`,
        [true, channel.id, userIds],
      );
      written.push(restored);
      const known = new Set(restored.map((row) => row.user_id));
      const unknown = userIds.filter((userId) => !known.has(userId));
      const byColor = groupBy(unknown, (userId) => color ?? takeColor(colors, userId, channel.id));
      for (const [chosen, people] of byColor) {
        written.push(await this.insert(tx, channel.id, chosen, people));
      }
      await this.periods.open(tx, [channel.id], userIds);
    }
    const rows = written.flat();
    tx.touch(
      'subscriptions',
      rows.map((row) => row.id),
    );
    return rows;
  }

  private insert(
    tx: Transaction,
    channelId: number,
    color: string,
    userIds: readonly number[],
  ): Promise<StoredRow[]> {
    return tx.query<StoredRow>(
      `INSERT INTO subscription (user_id, channel_id, is_active, color, is_muted, is_pinned)
       SELECT id, ?, ?, ?, ?, ? FROM account WHERE id IN (?) RETURNING ${ROW_COLUMNS}`,
      [channelId, true, color, false, false, userIds],
    );
  }

  /** Colors of the people's subscriptions, including ended ones, as far as needed to find an unused one. */
  private async colorsInUse(
    tx: Transaction,
    additions: readonly NewSubscriptions[],
  ): Promise<Map<number, Set<string>>> {
    const userIds = [...new Set(additions.flatMap((addition) => addition.userIds))];
    const [userId] = userIds;
    if (userId !== undefined && userIds.length === 1) {
      const colors = await this.colorsOfOldest(tx, userId);
      if (colors) return new Map([[userId, colors]]);
    }
    const rows = await tx.query<{ user_id: number; color: string }>(
      'SELECT DISTINCT user_id, color FROM subscription WHERE user_id IN (?)',
      [userIds],
    );
    const colors = new Map(userIds.map((userId) => [userId, new Set<string>()]));
    for (const row of rows) colors.get(row.user_id)?.add(row.color);
    return colors;
  }

  /** Colors of a person's oldest subscriptions; null if there are more subscriptions and these leave a color unused. */
  private async colorsOfOldest(tx: Transaction, userId: number): Promise<Set<string> | null> {
    const rows = await tx.query<{ color: string; count: number }>(
      `SELECT color, COUNT(*) AS count
       FROM (SELECT color FROM subscription WHERE user_id = ? ORDER BY channel_id LIMIT ?) oldest GROUP BY color`,
      [userId, ENOUGH],
    );
    const colors = new Set(rows.map((row) => row.color));
    const areAll = rows.reduce((total, { count }) => total + count, 0) < ENOUGH;
    return areAll || !hasFreeColor(colors) ? colors : null;
  }
}

function takeColor(colors: ReadonlyMap<number, Set<string>>, userId: number, channelId: number): string {
  const used = colors.get(userId) ?? new Set();
  const color = freeColor(used, channelId);
  used.add(color);
  return color;
}

/** A channel and its new subscribers. */
export interface Addition {
  readonly channel: ChannelRecord;
  /** The permissions of a channel created in this transaction, which is not in memory yet. */
  readonly settings?: ChannelSettingValues;
  /** Active accounts; those that are already subscribed do not change. */
  readonly userIds: readonly number[];
  /** Color of new subscriptions; by default, each person's first unused color. */
  readonly color?: string;
}

/** A complete {@link Addition}, with only people who are not subscribed yet. */
type Pending = Addition & Required<Pick<Addition, 'settings'>>;

/** Subscribes people: rows, periods and events. Callers check permission. Requires an exclusive transaction. */
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

  /** @returns for each addition, the people who were not subscribed before */
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

  /** Sends channels to people who could not see them before, several channels in one event. */
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

  /** Emits one event for all people whose subscriptions are equal; usually they differ at most in color. */
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
