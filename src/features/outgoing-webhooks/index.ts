/** What other features use of this one. Nothing else of it is imported from outside. */
export { webhookCalled } from './outgoing-webhooks.hooks';
export { OutgoingWebhooksModule } from './outgoing-webhooks.module';
