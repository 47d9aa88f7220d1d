import { Injectable } from '@nestjs/common';
import {
  botAdded,
  botDefaults,
  type BotDefaults,
  type BotPlaces,
  type BotRecord,
  botRemoved,
  botServiceRecords,
  botsState,
  botUpdated,
  NO_EMBEDDED_BOTS,
  type OwnBotRecord,
  renamedPlaces,
} from './bot-records.api';
import { type Actor, BotType, isAdministrator } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Config } from '../../../platform/config/config';
import type { Transaction } from '../../../platform/database/transaction.service';
import { InsufficientPermission } from '../../../platform/errors/shared.errors';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { ApiKeys } from '../../../platform/secrets/api-keys';
import type { Queryable } from '../../../platform/sql/queryable';
import {
  ChannelAccess,
  channelChanged,
  type ChannelChanged,
  ChannelDirectory,
} from '../../channels/channels.module';
import { PermissionService } from '../../user-groups/user-groups.module';
import {
  type Account,
  AccountDirectory,
  type AccountRecord,
  AccountRules,
  avatarUrl,
  type BotEndpoint,
  BotServices,
  type Viewer,
} from '../../users/users.module';
import { BadNameOrUsername, BotNameInUse, NameInUse } from '../membership.api';

/** Converts bots to records for the people who administer them. */
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

  /** A bot in its owner's list, including its key. */
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

  /** The bots that a person sees, including deactivated ones; ascending by ID. */
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

  private recordWith(bot: BotPlaces & Pick<Account, 'id'>, service: BotEndpoint | null): BotRecord {
    return { user_id: bot.id, ...this.defaults(bot), services: botServiceRecords(service) };
  }
}

/** Emits changes of bots that have other causes to the people who administer them. */
@Injectable()
export class BotVisibilityService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly records: BotRecords,
    hooks: Hooks,
  ) {
    hooks.on(channelChanged, (tx, change) => this.channelChanged(tx, change));
  }

  /**
   * Must be called when a person becomes an administrator or ceases to be one: administrators see the bots of others.
   */
  async roleChanged(tx: Transaction, after: Viewer): Promise<void> {
    const audience = Audience.of([after.userId]);
    for (const bot of this.bots().filter(({ botOwnerId }) => botOwnerId !== after.userId)) {
      const event = isAdministrator(after)
        ? botAdded({ bot: await this.records.record(tx, bot) })
        : botRemoved({ bot: { user_id: bot.id } });
      tx.emit(event, audience);
    }
  }

  /** Default channels are sent by name. */
  private channelChanged(tx: Transaction, { before, after }: ChannelChanged): void {
    if (before.channel.name === after.channel.name) return;
    for (const bot of this.bots()) {
      const changed = renamedPlaces(bot, after.channel);
      if (Object.keys(changed).length === 0) continue;
      tx.emit(botUpdated({ bot: { user_id: bot.id, ...changed } }), this.records.audienceOf(bot));
    }
  }

  private bots(): AccountRecord[] {
    return this.accounts.all().filter(({ isBot }) => isBot);
  }
}

/** Decides who may have which bots, and what their names may be. */
@Injectable()
export class BotRules {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly rules: AccountRules,
    private readonly permissions: PermissionService,
    private readonly channels: ChannelAccess,
    private readonly config: Config,
  ) {}

  /**
   * The address of a bot with this short name.
   * @throws BadNameOrUsername
   */
  addressFor(shortName: string): string {
    const email = `${shortName}-bot@${this.config.emailDomain}`;
    if (shortName === '' || !this.rules.isUsableEmail(email)) {
      throw new BadNameOrUsername('Use a short name that an email address can start with, such as "build".');
    }
    return email;
  }

  /** @throws EmailInUse */
  requireFreeEmail(email: string): void {
    this.rules.requireFreeEmail(email);
  }

  /**
   * The channel for a name; the empty name means none.
   * @throws InvalidChannelName for a channel that the person does not see
   */
  channelId(actor: Actor, name: string): number | null {
    return name === '' ? null : this.channels.forContentByName(actor, name).id;
  }

  /** Bots that can only post require a lesser permission. @throws InsufficientPermission */
  requireMayCreate(actor: Actor, botType: number | null): void {
    if (this.permissions.allowsInOrganization(actor, 'can_create_bots_group')) return;
    const onlyPosts = botType === BotType.incomingWebhook;
    if (onlyPosts && this.permissions.allowsInOrganization(actor, 'can_create_write_only_bots_group')) return;
    throw new InsufficientPermission();
  }

  /** @returns the name trimmed. @throws InvalidFullName */
  checkedName(given: string): string {
    return this.rules.checkedFullName(given);
  }

  /** A bot must not share its name with any active account. @throws NameInUse */
  requireFreeName(fullName: string, exceptUserId?: number): void {
    if (this.rules.isNameInUse(fullName, exceptUserId)) throw new NameInUse();
  }

  /** @throws InsufficientPermission, BotNameInUse */
  requireMayReactivate(actor: Actor, bot: AccountRecord): void {
    this.requireMayCreate(actor, bot.botType);
    if (this.rules.isNameInUse(bot.fullName, bot.id)) throw new BotNameInUse(bot.fullName);
  }

  hasActiveOwner({ botOwnerId }: { readonly botOwnerId: number | null }): boolean {
    return botOwnerId !== null && (this.accounts.byId(botOwnerId)?.isActive ?? false);
  }
}
