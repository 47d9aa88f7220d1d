/** What other features use of this one. Nothing else of it is imported from outside. */
export { IncomingWebhooksModule } from './incoming-webhooks.module';
export { integrationsSought } from './incoming-webhooks.hooks';

/** What an integration is, and what it reads and writes with. */
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
