import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { type WebhookBot, type WebhookMessage, WebhookTrigger } from './outgoing-webhooks.api';
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

/** A pending call of a bot's webhook for a message. */
export interface WebhookJob {
  readonly messageId: number;
  readonly botId: number;
  /** Reason for the call, a value of {@link WebhookTrigger}. */
  readonly cause: string;
  /** The reply from the webhook, if it was called already and only the reply has yet to be sent. */
  readonly reply: string | null;
}

/** Job that calls a webhook for a message. Its group is the bot, its key the message. */
export const outgoingWebhook = defineJob<WebhookJob>('outgoing_webhook');

/** Enqueues a job for each webhook to call, in the transaction that sends or edits the message. */
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

  /** Ignores messages of bots, so that two bots cannot reply to each other forever. */
  private async note(tx: Transaction, message: SentMessage): Promise<void> {
    const { messageId, sender, rendered, audience, isDirect } = message;
    if (sender.isBot) return;
    const concerned = isDirect ? audience.ids() : rendered.mentionedUserIds;
    const cause = isDirect ? WebhookTrigger.directMessage : WebhookTrigger.mention;
    await this.enqueue(tx, messageId, concerned, cause);
  }

  /** Notifies only newly mentioned bots. Bots in direct conversations were notified when the message was sent. */
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
    // Stored responses of webhooks may quote the message.
    await tx.repository(WebhookDelivery).delete({ messageId: In([...messageIds]) });
  }

  private isWebhook(userId: number): boolean {
    const account = this.accounts.byId(userId);
    return account !== undefined && account.isActive && account.botType === BotType.outgoingWebhook;
  }
}

/** The current data for calling a webhook. */
export interface WebhookNotification {
  readonly service: BotEndpoint;
  readonly bot: WebhookBot;
  readonly message: WebhookMessage;
}

/** Client name of replies. */
const CLIENT_NAME = 'OutgoingWebhookResponse';

const VIEW = { applyMarkdown: false, clientGravatar: false, allowEmptyTopicName: false };

/** Looks up the bot and message of a job. */
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
   * Returns null if the webhook must no longer be called, or the bot has no access to the message: a mention does not
   * reveal messages of a private channel to a bot that is not subscribed.
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

  /** The bot as the sender of the reply; null if it is deactivated or does not exist. */
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
