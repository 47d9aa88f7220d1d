import { Injectable } from '@nestjs/common';
import { entityRows } from '../../platform/sql/entity-rows';
import type { Queryable } from '../../platform/sql/queryable';
import { Audience } from '../../platform/events/audience';
import { ApiKeys } from '../../platform/secrets/api-keys';
import { ChannelDirectory } from '../channels';
import { type Account, AccountDirectory, type AccountRecord, avatarUrl, BotService } from '../users';
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
      avatar_url: avatarUrl(bot),
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
    return this.recordWith(bot, await db.repository(BotService).findOneBy({ botId: bot.id }));
  }

  /** The bots that somebody hears of, deactivated ones included; ascending by ID. */
  async known(db: Queryable, userId: number): Promise<BotRecord[]> {
    const bots = this.accounts.all().filter((bot) => bot.isBot && this.audienceOf(bot).has(userId));
    if (bots.length === 0) return [];
    const services = await entityRows(db, BotService, 'WHERE bot_id IN (?)', [bots.map(({ id }) => id)]);
    const serviceOf = new Map(services.map((service) => [service.botId, service]));
    return bots.map((bot) => this.recordWith(bot, serviceOf.get(bot.id) ?? null));
  }

  /** Who hears of a bot: its owner and the administrators. */
  audienceOf({ botOwnerId }: Pick<Account, 'botOwnerId'>): Audience {
    const owner = botOwnerId === null ? Audience.nobody : Audience.of([botOwnerId]);
    return owner.union(this.accounts.administrators);
  }

  private recordWith(bot: BotPlaces & Pick<Account, 'id'>, service: BotService | null): BotRecord {
    return { user_id: bot.id, ...this.defaults(bot), services: botServiceRecords(service) };
  }
}
