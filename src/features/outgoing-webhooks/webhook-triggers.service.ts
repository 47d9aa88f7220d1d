import { Injectable } from '@nestjs/common';
import { BotType } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import type { Transaction } from '../../platform/database/transaction.service';
import { type MessageObserver, MessageObserverRegistry, type SentMessage } from '../messages';
import { AccountDirectory } from '../users';
import { WebhookTrigger } from './outgoing-webhooks.wire';

/** Told of messages that webhooks have to be told of, before it is sure that they were sent. */
export type TriggerListener = (messageId: number) => void;

/** Notes, in the transaction that sends a message, which webhooks have to be told of it. */
@Injectable()
export class WebhookTriggersService implements MessageObserver {
  private listener: TriggerListener = () => undefined;

  constructor(
    private readonly accounts: AccountDirectory,
    private readonly clock: Clock,
    observers: MessageObserverRegistry,
  ) {
    observers.register(this);
  }

  onTrigger(listener: TriggerListener): void {
    this.listener = listener;
  }

  /** What bots say tells no webhook, or two of them would talk for ever. */
  async messageSent(tx: Transaction, message: SentMessage): Promise<void> {
    const { messageId, sender, rendered, audience, isDirect } = message;
    if (sender.isBot) return;
    const concerned = isDirect ? audience.ids() : rendered.mentionedUserIds;
    const cause = isDirect ? WebhookTrigger.directMessage : WebhookTrigger.mention;
    for (const botId of concerned) {
      if (!this.isWebhook(botId)) continue;
      await tx.query(
        'INSERT INTO webhook_delivery (message_id, bot_id, cause, attempts, due_at) VALUES (?, ?, ?, 0, ?)',
        [messageId, botId, cause, this.clock.nowMs()],
      );
      this.listener(messageId);
    }
  }

  async messagesDeleted(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    await tx.query('DELETE FROM webhook_delivery WHERE message_id IN (?)', [messageIds]);
  }

  private isWebhook(userId: number): boolean {
    const account = this.accounts.byId(userId);
    return account !== undefined && account.isActive && account.botType === BotType.outgoingWebhook;
  }
}
