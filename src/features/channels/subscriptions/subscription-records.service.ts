import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { RawJson } from '../../../platform/http/envelope.interceptor';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Audience } from '../../../platform/events/audience';
import { AccountDirectory } from '../../users/users.module';
import { ChannelDirectory, type ChannelRecord } from '../store/channel.directory';
import { ChannelRecordsService } from '../store/channel-records.service';
import {
  personalSettingsWire,
  type PersonalSettingsWire,
  type SubscriptionRow,
  type SubscriptionWire,
} from '../store/channel-records.api';
import { SubscriptionDirectory } from '../store/subscription.directory';

/** Which subscribers to list: none, all, or only some of many. */
export type SubscriberDetail = 'none' | 'all' | 'partial';

/** From this number of subscribers on, a partial answer names only some. */
const MANY_SUBSCRIBERS = 250;

/** A person's subscription, or what is left of one that ended. */
export interface OwnSubscriptionRow extends SubscriptionRow {
  readonly is_active: unknown;
}

/** Shows channels as their subscribers see them: with personal settings, and with who else is there. */
@Injectable()
export class SubscriptionRecords {
  /** The keys that name subscribers, as JSON text; a set of subscribers is replaced when it changes. */
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

  /** The rows of a person by channel, ended subscriptions included. */
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
   * The record of a channel as JSON text.
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

  /** Where only some are named, they are the bots: clients cannot do without them and look people up. */
  private write(audience: Audience, detail: SubscriberDetail): string {
    const userIds = [...audience.ids()];
    if (detail === 'all' || userIds.length < MANY_SUBSCRIBERS) return `,"subscribers":[${userIds.join(',')}]`;
    const bots = userIds.filter((userId) => this.accounts.byId(userId)?.isBot);
    return `,"partial_subscribers":[${bots.join(',')}]`;
  }
}
