import { Injectable } from '@nestjs/common';
import { freeColor } from './personal-settings';
import { NotificationDefaultsService, NULL_NOTIFICATIONS } from './subscription-settings.service';
import type { Actor } from '../../../platform/actor';
import {
  initialState,
  stateFor,
  type StateReader,
  type StateRequest,
} from '../../../platform/client-state/initial-state.hooks';
import { Database } from '../../../platform/database/database.service';
import type { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { RawJson } from '../../../platform/http/envelope.interceptor';
import type { Queryable } from '../../../platform/sql/queryable';
import { AccountDirectory } from '../../users/users.module';
import { ChannelAccess } from '../access/channel.access';
import {
  ARCHIVED_CHANNELS,
  type ChannelWire,
  personalSettingsWire,
  type PersonalSettingsWire,
  type SubscribersWire,
  type SubscriptionRow,
  type SubscriptionWire,
} from '../store/channel-records.api';
import { ChannelRecordsService } from '../store/channel-records.service';
import { ChannelDirectory, type ChannelRecord, SubscriptionDirectory } from '../store/channel.directory';

/** Which subscribers to list: none, all, or only some of many. */
export type SubscriberDetail = 'none' | 'all' | 'partial';

/** From this number of subscribers on, a partial response lists only some. */
const MANY_SUBSCRIBERS = 250;

/** A person's current or ended subscription. */
interface OwnSubscriptionRow extends SubscriptionRow {
  readonly is_active: unknown;
}

/** Converts channels to the records for their subscribers: with personal settings and other subscribers. */
@Injectable()
export class SubscriptionRecords {
  /** The keys that list subscribers, as JSON; a set of subscribers is replaced when it changes. */
  private readonly named = new Map<SubscriberDetail, WeakMap<Audience, string>>([
    ['all', new WeakMap()],
    ['partial', new WeakMap()],
  ]);

  constructor(
    private readonly database: Database,
    private readonly directory: ChannelDirectory,
    private readonly channels: ChannelRecordsService,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly accounts: AccountDirectory,
  ) {}

  /** The actor's subscriptions to channels that are not archived, sorted by the code points of their names. */
  async list(actor: Actor, detail: SubscriberDetail): Promise<RawJson<SubscriptionWire[]>> {
    const rows = await this.rowsOf(this.database.read, actor.userId);
    const texts: string[] = [];
    for (const channel of this.directory.all()) {
      const row = rows.get(channel.id);
      if (!row?.is_active || channel.isArchived) continue;
      texts.push(this.json(channel, personalSettingsWire(row), detail));
    }
    return new RawJson(`[${texts.join(',')}]`);
  }

  /** The rows of a person by channel, including ended subscriptions. */
  async rowsOf(db: Queryable, userId: number): Promise<Map<number, OwnSubscriptionRow>> {
    const rows = await db.query<OwnSubscriptionRow>(
      `SELECT channel_id, color, is_muted, is_pinned, desktop_notifications, audible_notifications,
         push_notifications, email_notifications, wildcard_mentions_notify, is_active
       FROM subscription WHERE user_id = ?`,
      [userId],
    );
    return new Map(rows.map((row) => [row.channel_id, row]));
  }

  /**
   * The record of a channel as JSON.
   * @param personal null for a person who was never subscribed
   */
  json(channel: ChannelRecord, personal: PersonalSettingsWire | null, detail: SubscriberDetail): string {
    const record = this.channels.json(channel).slice(0, -1);
    const settings = personal ? `,${JSON.stringify(personal).slice(1, -1)}` : '';
    return `${record}${settings}${this.subscribers(channel, detail)}}`;
  }

  private subscribers(channel: ChannelRecord, detail: SubscriberDetail): string {
    const audience = this.subscriptions.subscribersOf(channel.id);
    const texts = this.named.get(detail);
    let text = texts?.get(audience) ?? '';
    if (texts && text === '') texts.set(audience, (text = this.write(audience, detail)));
    return text;
  }

  /** A partial list contains the bots: clients need them, and look up people on demand. */
  private write(audience: Audience, detail: SubscriberDetail): string {
    const userIds = [...audience.ids()];
    if (detail === 'all' || userIds.length < MANY_SUBSCRIBERS) return `,"subscribers":[${userIds.join(',')}]`;
    const bots = userIds.filter((userId) => this.accounts.byId(userId)?.isBot);
    return `,"partial_subscribers":[${bots.join(',')}]`;
  }
}

/** The personal settings in records for people without an account: the defaults of a new person. */
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

/** Records as JSON, grouped as clients receive them. */
interface SubscriptionLists {
  readonly subscriptions: string[];
  readonly unsubscribed: string[];
  readonly never_subscribed: string[];
}

/** Initial state for clients: channels that the person is subscribed to, was subscribed to, or could subscribe to. */
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

  /** @returns undefined for a channel that is not visible */
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

  /** For people without an account, all channels that they can read look subscribed, without listing subscribers. */
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
