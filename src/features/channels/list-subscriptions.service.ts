import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { Database } from '../../platform/database/database.service';
import { RawJson } from '../../platform/http/raw-json';
import { AccountDirectory } from '../users/account.directory';
import { ChannelDirectory, type ChannelRecord } from './channel.directory';
import { ChannelRecordsService } from './channel-records.service';
import { personalSettingsWire, type SubscribersWire, type SubscriptionRow } from './channels.wire';
import { SubscriptionDirectory } from './subscription.directory';

/** How many of the subscribers to name: nobody, everybody, or some where there are many. */
export type SubscriberDetail = 'none' | 'all' | 'partial';

/** From this number of subscribers on, a partial answer names only some (reference 4.1). */
const MANY_SUBSCRIBERS = 250;

/** Reads people's own subscriptions. */
@Injectable()
export class ListSubscriptionsService {
  constructor(
    private readonly database: Database,
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly accounts: AccountDirectory,
    private readonly records: ChannelRecordsService,
  ) {}

  /** The actor's subscriptions to channels that are not archived, sorted by the code points of their names. */
  async list(actor: Actor, detail: SubscriberDetail): Promise<RawJson> {
    const rows = await this.database.read.query<SubscriptionRow>(
      `SELECT channel_id, color, is_muted, is_pinned, desktop_notifications, audible_notifications,
         push_notifications, email_notifications, wildcard_mentions_notify
       FROM subscription WHERE user_id = ? AND is_active = ?`,
      [actor.userId, true],
    );
    const rowOf = new Map(rows.map((row) => [row.channel_id, row]));
    const texts: string[] = [];
    for (const channel of this.channels.all()) {
      const row = rowOf.get(channel.id);
      if (row && !channel.isArchived) texts.push(this.text(channel, row, detail));
    }
    return new RawJson(`[${texts.join(',')}]`);
  }

  private text(channel: ChannelRecord, row: SubscriptionRow, detail: SubscriberDetail): string {
    const personal = { ...personalSettingsWire(row), ...this.subscribers(channel, detail) };
    return `${this.records.json(channel).slice(0, -1)},${JSON.stringify(personal).slice(1)}`;
  }

  /** Where only some are named, they are the bots: clients cannot do without them and look people up. */
  private subscribers(channel: ChannelRecord, detail: SubscriberDetail): SubscribersWire {
    if (detail === 'none') return {};
    const subscribers = [...this.subscriptions.subscribersOf(channel.id).ids()];
    if (detail === 'all' || subscribers.length < MANY_SUBSCRIBERS) return { subscribers };
    return { partial_subscribers: subscribers.filter((userId) => this.accounts.byId(userId)?.isBot) };
  }
}
