import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages';
import { OrganizationSettingsModule } from '../organization-settings';
import { UsersModule } from '../users';
import { CallWebhookService } from './call-webhook.service';
import { DeliverWebhooksService } from './deliver-webhooks.service';
import { WebhookDeliveriesController } from './webhook-deliveries.controller';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { WebhookNotificationService } from './webhook-notification.service';
import { WebhookTriggersService } from './webhook-triggers.service';

/** Bots that receive messages by HTTP, and may reply in their answer: which message goes to which bot, and the call. */
@Module({
  imports: [OrganizationSettingsModule, UsersModule, MessagesModule],
  controllers: [WebhookDeliveriesController],
  providers: [
    CallWebhookService,
    DeliverWebhooksService,
    WebhookDeliveriesService,
    WebhookNotificationService,
    WebhookTriggersService,
  ],
})
export class OutgoingWebhooksModule {}
