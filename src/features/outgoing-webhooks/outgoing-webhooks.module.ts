import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { CallWebhookService } from './call-webhook.service';
import { DeliverWebhooksService } from './deliver-webhooks.service';
import { WebhookDeliveriesController } from './webhook-deliveries.controller';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { WebhookNotificationService } from './webhook-notification.service';
import { WebhookTriggersService } from './webhook-triggers.service';
import { WebhookDelivery } from './webhook-delivery.entity';

/** Bots that receive messages by HTTP, and may reply in their answer: which message goes to which bot, and the call. */
@Tables({ entities: [WebhookDelivery] })
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

// What other features use of this one.
export { webhookCalled } from './outgoing-webhooks.hooks';
