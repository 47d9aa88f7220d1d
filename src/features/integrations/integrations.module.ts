import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MessagesModule } from '../messages/messages.module';
import { UsersModule } from '../users/users.module';
import { IncomingWebhooksController } from './incoming-webhooks/incoming-webhooks.controller';
import { KnownIntegrations, ReceiveWebhookService } from './incoming-webhooks/receive-webhook.service';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { CallWebhookService } from './outgoing-webhooks/call-webhook.service';
import {
  DeliverWebhooksService,
  WebhookDeliveriesService,
} from './outgoing-webhooks/deliver-webhooks.service';
import { WebhookDeliveriesController } from './outgoing-webhooks/webhook-deliveries.controller';
import {
  WebhookNotificationService,
  WebhookTriggersService,
} from './outgoing-webhooks/webhook-triggers.service';
import { WebhookDelivery } from './outgoing-webhooks/webhook-delivery.entity';
import { ChannelsModule } from '../channels/channels.module';
import { BridgePlaceService } from './messaging-bridge/bridge-place.service';
import { ConversationDirectory } from './messaging-bridge/conversation.directory';
import {
  DeliverAnswersService,
  PostAnswerService,
  MockLogService,
  NoteAnswersService,
} from './messaging-bridge/deliver-answers.service';
import { ExpireMessagingService } from './messaging-bridge/expire-messaging.service';
import { MessagingController } from './messaging-bridge/messaging.controller';
import { ReadDeliveryService, ReceiveMessagesService } from './messaging-bridge/receive-messages.service';
import {
  MessagingConversation,
  MessagingReceipt,
  MessagingMockEntry,
} from './messaging-bridge/messaging-conversation.entity';

/** Incoming and outgoing webhooks, and the messaging bridge. */
@Module({
  imports: [
    TypeOrmModule.forFeature([WebhookDelivery, MessagingConversation, MessagingReceipt, MessagingMockEntry]),
    UsersModule,
    MessagesModule,
    OrganizationSettingsModule,
    ChannelsModule,
  ],
  controllers: [IncomingWebhooksController, WebhookDeliveriesController, MessagingController],
  providers: [
    KnownIntegrations,
    ReceiveWebhookService,
    CallWebhookService,
    DeliverWebhooksService,
    WebhookDeliveriesService,
    WebhookNotificationService,
    WebhookTriggersService,
    BridgePlaceService,
    ConversationDirectory,
    DeliverAnswersService,
    ExpireMessagingService,
    PostAnswerService,
    MockLogService,
    NoteAnswersService,
    ReadDeliveryService,
    ReceiveMessagesService,
  ],
})
export class IntegrationsModule {}

// What other features may import.
export { contentFromOutside } from './incoming-webhooks/receive-webhook.service';
export { integrationsSought } from './incoming-webhooks/incoming-webhooks.hooks';
export {
  type Integration,
  type IntegrationAnswer,
  type IntegrationBot,
  IntegrationCall,
  type IntegrationOption,
  type IntegrationPost,
  type RequestParts,
} from './incoming-webhooks/reading/integration';
export { Payload } from './incoming-webhooks/reading/payload';
export { codeBlock, link, quoted, safe, SafeText } from './incoming-webhooks/reading/safe-text';
export { webhookCalled } from './outgoing-webhooks/outgoing-webhooks.hooks';
