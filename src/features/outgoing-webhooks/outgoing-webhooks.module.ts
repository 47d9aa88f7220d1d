import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages';
import { UsersModule } from '../users';
import { CallWebhookService } from './call-webhook.service';
import { DeliverWebhooksService } from './deliver-webhooks.service';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { WebhookNotificationService } from './webhook-notification.service';
import { WebhookReplyService } from './webhook-reply.service';
import { WebhookTriggersService } from './webhook-triggers.service';

/** Bots that are told of messages by HTTP, and answer in the same breath. */
@Module({
  imports: [UsersModule, MessagesModule],
  providers: [
    CallWebhookService,
    DeliverWebhooksService,
    WebhookDeliveriesService,
    WebhookNotificationService,
    WebhookReplyService,
    WebhookTriggersService,
  ],
})
export class OutgoingWebhooksModule {}
