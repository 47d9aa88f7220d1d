import { Injectable } from '@nestjs/common';
import { BotType, THE_SERVER, type Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { ApiError } from '../../../platform/errors/api-error';
import { Directories } from '../../../platform/events/directories';
import { MessageAccess, MessageRecordsService, type MessageWire } from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import {
  AccountDirectory,
  type AccountRecord,
  actorOf,
  type BotService,
  BotServices,
} from '../../users/users.module';
import type { ToldBot, ToldMessage } from './outgoing-webhooks.api';
import type { WebhookJob } from './webhook-triggers.service';

/** Everything that calling a webhook for a message needs, as of now. */
export interface WebhookNotification {
  readonly service: BotService;
  readonly bot: ToldBot;
  readonly message: ToldMessage;
}

/** The client name that replies show. */
const CLIENT_NAME = 'OutgoingWebhookResponse';

const VIEW = { applyMarkdown: false, clientGravatar: false, allowEmptyTopicName: false };

/** Looks up the bot and the message of a job. */
@Injectable()
export class WebhookNotificationService {
  constructor(
    private readonly database: Database,
    private readonly directories: Directories,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly messages: MessageAccess,
    private readonly records: MessageRecordsService,
    private readonly services: BotServices,
  ) {}

  /**
   * Null if the webhook must not be called any more, or the bot may not see the message: a mention does not reveal a
   * private channel to a bot outside it.
   */
  async find({ botId, messageId, cause }: WebhookJob): Promise<WebhookNotification | null> {
    await this.directories.catchUp();
    if (this.organization.isDeactivated) return null;
    const account = this.accounts.byId(botId);
    if (!account?.isActive || account.botType !== BotType.outgoingWebhook) return null;
    const db = this.database.read;
    const service = await this.services.find(db, botId);
    const told = await this.readable(account, messageId);
    if (!service || !told) return null;
    return {
      service,
      bot: {
        id: botId,
        email: this.accounts.apiEmail(account),
        fullName: account.fullName,
        token: service.token ?? '',
      },
      message: { ...told, trigger: cause },
    };
  }

  /** The bot as the sender of its webhook's reply. */
  actorOf({ botId }: WebhookJob): Actor | null {
    const bot = this.accounts.byId(botId);
    return bot?.isActive ? actorOf(bot, { ...THE_SERVER, clientName: CLIENT_NAME }) : null;
  }

  private async readable(
    { id: userId, role }: AccountRecord,
    messageId: number,
  ): Promise<{ record: MessageWire; renderedContent: string } | null> {
    const reader = { userId, role };
    try {
      const { message } = await this.messages.forReading(this.database.read, reader, messageId);
      const [record] = await this.records.records(this.database.read, [message], { ...VIEW, reader });
      return record ? { record, renderedContent: message.renderedContent } : null;
    } catch (error) {
      if (error instanceof ApiError) return null;
      throw error;
    }
  }
}
