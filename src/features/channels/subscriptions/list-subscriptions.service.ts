import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { RawJson } from '../../../platform/http/raw-json';
import { ChannelDirectory } from '../store/channel.directory';
import { personalSettingsWire, type SubscriptionWire } from '../store/channels.wire';
import { SubscriptionRecords, type SubscriberDetail } from './subscription-records.service';

/** Reads people's own subscriptions. */
@Injectable()
export class ListSubscriptionsService {
  constructor(
    private readonly database: Database,
    private readonly channels: ChannelDirectory,
    private readonly records: SubscriptionRecords,
  ) {}

  /** The actor's subscriptions to channels that are not archived, sorted by the code points of their names. */
  async list(actor: Actor, detail: SubscriberDetail): Promise<RawJson<SubscriptionWire[]>> {
    const rows = await this.records.rowsOf(this.database.read, actor.userId);
    const texts: string[] = [];
    for (const channel of this.channels.all()) {
      const row = rows.get(channel.id);
      if (!row?.is_active || channel.isArchived) continue;
      texts.push(this.records.json(channel, personalSettingsWire(row), detail));
    }
    return new RawJson(`[${texts.join(',')}]`);
  }
}
