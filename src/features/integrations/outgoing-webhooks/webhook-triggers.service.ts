import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { type ToldBot, type ToldMessage, WebhookTrigger } from './outgoing-webhooks.api';
import { WebhookDelivery } from './webhook-delivery.entity';
import { type Actor, BotType, THE_SERVER } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import type { Transaction } from '../../../platform/database/transaction.service';
import { ApiError } from '../../../platform/errors/api-error';
import { Directories } from '../../../platform/events/directories';
import { Hooks } from '../../../platform/hooks/hooks';
import { defineJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import {
  type EditedMessage,
  MessageAccess,
  messageEdited,
  MessageRecordsService,
  messagesDeleted,
  messageSent,
  type MessageWire,
  type SentMessage,
} from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import {
  AccountDirectory,
  type AccountRecord,
  actorOf,
  type BotEndpoint,
  BotServices,
} from '../../users/users.module';

/** A message for which a bot's webhook is to be called. */
export interface WebhookJob {
  readonly messageId: number;
  readonly botId: number;
  /** Why the message concerns the bot, in the words of the wire. */
  readonly cause: string;
  /** The bot's reply, once its webhook has answered and only the reply has yet to be sent. */
  readonly reply: string | null;
}

/** Calls a webhook for a message. Its group is the bot, its key the message. */
export const outgoingWebhook = defineJob<WebhookJob>('outgoing_webhook');

/** Enqueues, in the transaction that sends or edits a message, a job for each webhook that has to be called. */
@Injectable()
export class WebhookTriggersService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly jobs: Jobs,
    hooks: Hooks,
  ) {
    hooks.on(messageSent, (tx, message) => this.note(tx, message));
    hooks.on(messageEdited, (tx, message) => this.noteEdited(tx, message));
    hooks.on(messagesDeleted, (tx, messageIds) => this.forget(tx, messageIds));
  }

  /** Messages of bots trigger no webhook, or two bots would talk forever. */
  private async note(tx: Transaction, message: SentMessage): Promise<void> {
    const { messageId, sender, rendered, audience, isDirect } = message;
    if (sender.isBot) return;
    const concerned = isDirect ? audience.ids() : rendered.mentionedUserIds;
    const cause = isDirect ? WebhookTrigger.directMessage : WebhookTrigger.mention;
    await this.enqueue(tx, messageId, concerned, cause);
  }

  /** Bots that are mentioned only now; those in a direct conversation were told when it was sent. */
  private async noteEdited(tx: Transaction, message: EditedMessage): Promise<void> {
    const { messageId, sender, newlyNamed, isDirect } = message;
    if (sender.isBot || isDirect) return;
    await this.enqueue(tx, messageId, newlyNamed, WebhookTrigger.mention);
  }

  private async enqueue(
    tx: Transaction,
    messageId: number,
    concerned: Iterable<number>,
    cause: string,
  ): Promise<void> {
    for (const botId of concerned) {
      if (!this.isWebhook(botId)) continue;
      await this.jobs.enqueue(tx, {
        kind: outgoingWebhook,
        group: String(botId),
        key: String(messageId),
        data: { messageId, botId, cause, reply: null },
      });
    }
  }

  private async forget(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    await this.jobs.cancel(tx, outgoingWebhook, messageIds.map(String));
    // Answers of webhooks may quote what they were called for.
    await tx.repository(WebhookDelivery).delete({ messageId: In([...messageIds]) });
  }

  private isWebhook(userId: number): boolean {
    const account = this.accounts.byId(userId);
    return account !== undefined && account.isActive && account.botType === BotType.outgoingWebhook;
  }
}

/** Everything that calling a webhook for a message needs, as of now. */
export interface WebhookNotification {
  readonly service: BotEndpoint;
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
