import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { BotType } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { defineJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import {
  type EditedMessage,
  messageEdited,
  messagesDeleted,
  messageSent,
  type SentMessage,
} from '../../messages/messages.module';
import { AccountDirectory } from '../../users/users.module';
import { WebhookTrigger } from './outgoing-webhooks.api';
import { WebhookDelivery } from './webhook-delivery.entity';

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

  /** Messages of bots trigger no webhook, or two bots would talk for ever. */
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
