import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/database/queryable';
import { Audience } from '../../platform/events/audience';
import { ApiKeys } from '../../platform/secrets/api-keys';
import { ChannelDirectory } from '../channels/channel.directory';
import { AccountDirectory, type AccountRecord } from '../users/account.directory';
import type { Account } from '../users/account.entity';
import { BotService } from '../users/bot-service.entity';
import { avatarUrlOf } from '../users/user-record.wire';
import {
  botDefaults,
  botServiceRecords,
  type BotDefaults,
  type BotPlaces,
  type BotRecord,
  type OwnBotRecord,
} from './bot.wire';

/** Describes bots to those who administer them. */
@Injectable()
export class BotRecords {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly channels: ChannelDirectory,
    private readonly apiKeys: ApiKeys,
  ) {}

  /** A bot as its owner lists it, key included. */
  own(bot: AccountRecord): OwnBotRecord {
    return {
      username: this.accounts.apiEmail(bot),
      full_name: bot.fullName,
      api_key: this.apiKey(bot),
      avatar_url: avatarUrlOf(bot),
      ...this.defaults(bot),
    };
  }

  apiKey({ keyNonce }: Pick<Account, 'keyNonce'>): string {
    return this.apiKeys.apiKeyFor(keyNonce);
  }

  defaults(bot: BotPlaces): BotDefaults {
    return botDefaults(bot, (id) => this.channels.byId(id)?.name ?? null);
  }

  async record(db: Queryable, bot: BotPlaces & Pick<Account, 'id'>): Promise<BotRecord> {
    const service = await db.repository(BotService).findOneBy({ botId: bot.id });
    return { user_id: bot.id, ...this.defaults(bot), services: botServiceRecords(service) };
  }

  /** Who hears of a bot: its owner and, unless it stands in a private channel, the administrators. */
  audienceOf(bot: BotPlaces & Pick<Account, 'botOwnerId'>): Audience {
    const owner = bot.botOwnerId === null ? Audience.nobody : Audience.of([bot.botOwnerId]);
    const isPrivate = [bot.defaultSendingChannelId, bot.defaultEventsChannelId].some(
      (id) => id !== null && this.channels.byId(id)?.isPrivate,
    );
    return isPrivate ? owner : owner.union(this.accounts.administrators);
  }
}
