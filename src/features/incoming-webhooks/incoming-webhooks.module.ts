import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module';
import { UsersModule } from '../users/users.module';
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

/** What an integration is, and what it reads and writes with. */

// What other features use of this one.
export { integrationsSought } from './incoming-webhooks.hooks';
export {
  type Integration,
  type IntegrationAnswer,
  type IntegrationBot,
  IntegrationCall,
  type IntegrationOption,
  type IntegrationPost,
  type RequestParts,
} from './reading/integration';
export { Payload } from './reading/payload';
export { codeBlock, link, quoted, safe, SafeText } from './reading/safe-text';
