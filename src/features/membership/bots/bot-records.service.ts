import { Injectable } from '@nestjs/common';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { ApiKeys } from '../../../platform/secrets/api-keys';
import { ChannelDirectory } from '../../channels/channels.module';
import {
  type Account,
  AccountDirectory,
  type AccountRecord,
  avatarUrl,
  type BotService,
  BotServices,
} from '../../users/users.module';
import {
  botDefaults,
  botServiceRecords,
  botsState,
  NO_EMBEDDED_BOTS,
  type BotDefaults,
  type BotPlaces,
  type BotRecord,
  type OwnBotRecord,
} from './bot-records.api';

/** Describes bots to the people who administer them. */
@Injectable()
export class BotRecords {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly channels: ChannelDirectory,
    private readonly apiKeys: ApiKeys,
    private readonly services: BotServices,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('realm_bot', async (db, { reader }) =>
        botsState(reader ? await this.known(db, reader.userId) : []),
      ),
    );
    hooks.on(
      initialState,
      stateFor('realm_embedded_bots', () => NO_EMBEDDED_BOTS),
    );
  }

  /** A bot as its owner lists it, including its key. */
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
    return this.recordWith(bot, await this.services.find(db, bot.id));
  }

  /** The bots that a person is told of, deactivated ones included; ascending by ID. */
  async known(db: Queryable, userId: number): Promise<BotRecord[]> {
    const bots = this.accounts.all().filter((bot) => bot.isBot && this.audienceOf(bot).has(userId));
    if (bots.length === 0) return [];
    const serviceOf = await this.services.among(
      db,
      bots.map(({ id }) => id),
    );
    return bots.map((bot) => this.recordWith(bot, serviceOf.get(bot.id) ?? null));
  }

  /** The audience of events about a bot: its owner and the administrators. */
  audienceOf({ botOwnerId }: Pick<Account, 'botOwnerId'>): Audience {
    const owner = botOwnerId === null ? Audience.none : Audience.of([botOwnerId]);
    return owner.union(this.accounts.administrators);
  }

  private recordWith(bot: BotPlaces & Pick<Account, 'id'>, service: BotService | null): BotRecord {
    return { user_id: bot.id, ...this.defaults(bot), services: botServiceRecords(service) };
  }
}
