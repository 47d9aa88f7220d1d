import { Injectable } from '@nestjs/common';
import { type Actor, BotType, Role } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { MissingParameter } from '../../../platform/errors/request.errors';
import type { UploadedFile } from '../../../platform/http/body/uploaded-file';
import { AuditLog } from '../../audit/audit.module';
import {
  ActorTransactions,
  AvatarService,
  avatarUrl,
  BotServices,
  type NewAccount,
} from '../../users/users.module';
import { botAdded, type BotDefaults } from '../bots/bot-records.api';
import { BotRecords, BotRules } from '../bots/bots.service';
import { EmbeddedBotsDisabled, InvalidBotType } from '../membership.api';
import { NewAccountService } from '../people/new-account.service';

/** A bot to create. */
export interface NewBot {
  readonly fullName: string;
  /** First part of its address. */
  readonly shortName: string;
  readonly botType: number;
  readonly payloadUrl?: string;
  readonly serviceName?: string;
  readonly interfaceType: number;
  readonly config: Readonly<Record<string, string>>;
  /** Names of channels; empty for none. */
  readonly defaultSendingChannel?: string;
  readonly defaultEventsChannel?: string;
  readonly defaultAllPublicChannels?: boolean;
}

/** The response to the owner of a new bot, including its key. */
type CreatedBot = BotDefaults & { user_id: number; api_key: string; avatar_url: string };

const BOT_TYPES: readonly number[] = Object.values(BotType);

/** Creates bots (`POST /bots`). */
@Injectable()
export class CreateBotService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly rules: BotRules,
    private readonly services: BotServices,
    private readonly newAccounts: NewAccountService,
    private readonly avatars: AvatarService,
    private readonly records: BotRecords,
    private readonly audit: AuditLog,
  ) {}

  /**
   * @param picture stored before the transaction, and deleted again if the bot is not created
   * @throws ApiError for the first violated rule
   */
  async create(actor: Actor, bot: NewBot, picture: UploadedFile | null): Promise<CreatedBot> {
    this.check(actor, bot);
    const avatarKey = picture && (await this.avatars.store(actor, picture));
    try {
      return await this.transactions.runExclusive(actor, (tx, current) =>
        this.insert(tx, current, bot, { ...this.check(current, bot), avatarKey }),
      );
    } catch (error) {
      await this.avatars.discard(avatarKey);
      throw error;
    }
  }

  /** Uses memory only, so it can run twice: early, and again inside the exclusive transaction. */
  private check(actor: Actor, bot: NewBot): NewAccount {
    const deliveryEmail = this.rules.addressFor(bot.shortName);
    const fullName = this.rules.checkedName(bot.fullName);
    this.rules.requireFreeEmail(deliveryEmail);
    this.rules.requireFreeName(fullName);
    this.rules.requireMayCreate(actor, bot.botType);
    if (!BOT_TYPES.includes(bot.botType)) throw new InvalidBotType();
    if (bot.botType === BotType.embedded) throw new EmbeddedBotsDisabled();
    this.services.requireInterface(bot.interfaceType);
    if (bot.botType === BotType.outgoingWebhook && bot.payloadUrl === undefined) {
      throw new MissingParameter('payload_url');
    }
    return {
      deliveryEmail,
      fullName,
      role: Role.member,
      isBot: true,
      botType: bot.botType,
      botOwnerId: actor.userId,
      defaultSendingChannelId: this.rules.channelId(actor, bot.defaultSendingChannel ?? ''),
      defaultEventsChannelId: this.rules.channelId(actor, bot.defaultEventsChannel ?? ''),
      defaultAllPublicChannels: bot.defaultAllPublicChannels,
    };
  }

  private async insert(tx: Transaction, actor: Actor, bot: NewBot, account: NewAccount): Promise<CreatedBot> {
    const row = await this.newAccounts.add(tx, account);
    const details = { bot_type: bot.botType, owner: actor.userId };
    this.audit.record(tx, actor, 'user.created', { userId: row.id }, details);
    if (bot.botType === BotType.outgoingWebhook) {
      await this.services.create(tx, row.id, bot.serviceName || bot.shortName, bot);
    }
    tx.emit(botAdded({ bot: await this.records.record(tx, row) }), this.records.audienceOf(row));
    return {
      user_id: row.id,
      api_key: this.records.apiKey(row),
      avatar_url: avatarUrl(row),
      ...this.records.defaults(row),
    };
  }
}
