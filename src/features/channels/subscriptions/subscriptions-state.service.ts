import { Injectable } from '@nestjs/common';
import {
  initialState,
  stateFor,
  type StateReader,
  type StateRequest,
} from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import { RawJson } from '../../../platform/http/envelope.interceptor';
import { ChannelAccess } from '../access/channel.access';
import { ChannelDirectory, type ChannelRecord } from '../store/channel.directory';
import {
  ARCHIVED_CHANNELS,
  type ChannelWire,
  personalSettingsWire,
  type PersonalSettingsWire,
  type SubscribersWire,
  type SubscriptionWire,
} from '../store/channel-records.api';
import { NotificationDefaultsService, NULL_NOTIFICATIONS } from './notification-defaults.service';
import { freeColor } from './colors';
import { SubscriptionDirectory } from '../store/subscription.directory';
import {
  type OwnSubscriptionRow,
  type SubscriberDetail,
  SubscriptionRecords,
} from './subscription-records.service';

/** Personal settings of people who cannot have any: as clients show channels to a new person. */
const NOBODYS_SETTINGS: Omit<PersonalSettingsWire, 'color'> = {
  is_muted: false,
  in_home_view: true,
  pin_to_top: false,
  desktop_notifications: true,
  audible_notifications: true,
  push_notifications: true,
  email_notifications: true,
  wildcard_mentions_notify: true,
};

/** Texts of records, told apart as clients get them. */
interface SubscriptionLists {
  readonly subscriptions: string[];
  readonly unsubscribed: string[];
  readonly never_subscribed: string[];
}

/** Tells clients that register which channels their owner is subscribed to, was once, or could be. */
@Injectable()
export class SubscriptionsStateService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly access: ChannelAccess,
    private readonly notifications: NotificationDefaultsService,
    private readonly records: SubscriptionRecords,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('subscription', (db, request) => this.state(db, request)),
    );
  }

  private async state(db: Queryable, request: StateRequest) {
    const { reader } = request;
    const lists = reader ? await this.listsOf(db, reader, request) : this.listsForAnybody();
    return {
      subscriptions: jsonList<SubscriptionWire>(lists.subscriptions),
      unsubscribed: jsonList<SubscriptionWire>(lists.unsubscribed),
      never_subscribed: jsonList<ChannelWire & SubscribersWire>(lists.never_subscribed),
    };
  }

  private async listsOf(
    db: Queryable,
    reader: StateReader,
    request: StateRequest,
  ): Promise<SubscriptionLists> {
    const rows = await this.records.rowsOf(db, reader.userId);
    const personal = this.personalSettings(reader.userId, request);
    const detail = detailOf(request);
    const lists = noSubscriptions();
    for (const channel of this.channels.all()) {
      if (channel.isArchived && !request.capabilities.has(ARCHIVED_CHANNELS)) continue;
      const row = rows.get(channel.id);
      const list = this.listFor(reader, channel, row);
      if (list) lists[list].push(this.records.json(channel, row ? personal(row) : null, detail));
    }
    return lists;
  }

  /** @returns undefined for a channel out of sight */
  private listFor(
    { userId, role }: StateReader,
    channel: ChannelRecord,
    row: OwnSubscriptionRow | undefined,
  ): keyof SubscriptionLists | undefined {
    if (this.subscriptions.isSubscribed(userId, channel.id)) return 'subscriptions';
    if (!this.access.hasMetadataAccess({ userId, role }, channel)) return undefined;
    return row ? 'unsubscribed' : 'never_subscribed';
  }

  private personalSettings(
    userId: number,
    { capabilities }: StateRequest,
  ): (row: OwnSubscriptionRow) => PersonalSettingsWire {
    if (capabilities.has(NULL_NOTIFICATIONS)) return personalSettingsWire;
    return (row) => this.notifications.fillIn(userId, personalSettingsWire(row));
  }

  /** All channels that can be read without an account look subscribed to, without naming subscribers. */
  private listsForAnybody(): SubscriptionLists {
    const colors = new Set<string>();
    const lists = noSubscriptions();
    for (const channel of this.channels.all()) {
      if (!this.access.hasMetadataAccess(null, channel)) continue;
      const color = freeColor(colors, channel.id);
      colors.add(color);
      lists.subscriptions.push(this.records.json(channel, { color, ...NOBODYS_SETTINGS }, 'none'));
    }
    return lists;
  }
}

function noSubscriptions(): SubscriptionLists {
  return { subscriptions: [], unsubscribed: [], never_subscribed: [] };
}

function detailOf({ includeSubscribers }: StateRequest): SubscriberDetail {
  if (includeSubscribers === 'partial') return 'partial';
  return includeSubscribers ? 'all' : 'none';
}

function jsonList<Item>(texts: readonly string[]): RawJson<Item[]> {
  return new RawJson(`[${texts.join(',')}]`);
}
