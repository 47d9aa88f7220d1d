import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages';
import { UsersModule } from '../users';
import { CallWebhookService } from './call-webhook.service';
import { DeliverWebhooksService } from './deliver-webhooks.service';
import { WebhookNotificationService } from './webhook-notification.service';
import { WebhookTriggersService } from './webhook-triggers.service';

/** Bots that are told of messages by HTTP, and answer in the same breath. */
@Module({
  imports: [UsersModule, MessagesModule],
  providers: [CallWebhookService, DeliverWebhooksService, WebhookNotificationService, WebhookTriggersService],
})
export class OutgoingWebhooksModule {}
