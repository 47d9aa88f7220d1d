import { Injectable } from '@nestjs/common';
import { ApiError } from '../../platform/errors/api-error';
import { SendMessageService } from '../messages';
import { replyPlace } from './outgoing-webhooks.wire';
import { type WebhookNotification, WebhookNotificationService } from './webhook-notification.service';
import type { HeldDelivery } from './webhook-deliveries.service';

/** Says in the conversation of a message what the webhook answered to it, as the bot. */
@Injectable()
export class WebhookReplyService {
  constructor(
    private readonly notifications: WebhookNotificationService,
    private readonly messages: SendMessageService,
  ) {}

  /**
   * Doing it twice sends one message, as requests of clients that are repeated do.
   * @returns why the bot may not say that, or null
   */
  async send(
    delivery: HeldDelivery,
    { message: { record } }: WebhookNotification,
    content: string,
  ): Promise<string | null> {
    const actor = this.notifications.actorOf(delivery);
    if (!actor) return null;
    const echo = { queueId: 'webhook', localId: String(delivery.id) };
    const request = { ...replyPlace(record), content: { content, echo }, isMirrored: false, isForged: false };
    try {
      await this.messages.send(actor, request);
      return null;
    } catch (error) {
      if (error instanceof ApiError) return error.message;
      throw error;
    }
  }
}
