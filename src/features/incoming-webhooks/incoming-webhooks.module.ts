import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages';
import { UsersModule } from '../users';
import { IncomingWebhooksController } from './incoming-webhooks.controller';
import { KnownIntegrations } from './known-integrations.service';
import { ReceiveWebhookService } from './receive-webhook.service';

/** Addresses that other services call to have bots tell of what happens there. */
@Module({
  imports: [UsersModule, MessagesModule],
  controllers: [IncomingWebhooksController],
  providers: [KnownIntegrations, ReceiveWebhookService],
})
export class IncomingWebhooksModule {}
