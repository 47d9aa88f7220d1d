import { FormDeliveryDto } from '../../src/features/integrations/messaging-bridge/messaging.api';
import { type Operation, referenceTo, type Schema } from '../../src/features/web/api-description/openapi';
import { inputSchema } from './companion-input';
import type { Describe } from './main-input';

/** WhatsApp's deliveries, reduced to what the server reads. */
const WHATSAPP_DELIVERY: Schema = {
  description: 'What the WhatsApp Cloud API delivers. Changes of other kinds than messages are passed over.',
  type: 'object',
  properties: {
    object: { const: 'whatsapp_business_account' },
    entry: {
      type: 'array',
      items: {
        type: 'object',
        properties: { changes: { type: 'array', items: { type: 'object' } } },
      },
    },
  },
  required: ['object', 'entry'],
};

/** Some services expect their own keys in the response. */
const WEBHOOK_ANSWER: Schema = {
  type: 'object',
  properties: {
    result: { const: 'success' },
    msg: { const: '' },
    ok: { description: 'For programs that expect Slack.', type: 'boolean' },
    full_name: {
      description: 'For Zapier, which asks whose address it is: the name of the bot.',
      type: 'string',
    },
    email: { description: 'For Zapier: the address of the bot.', type: 'string' },
    id: { description: 'For Zapier: the ID of the bot.', type: 'integer' },
    ignored_parameters_unsupported: referenceTo('IgnoredParameters'),
  },
  required: ['result', 'msg'],
};

const SIGNATURE = {
  name: 'X-Hub-Signature-256',
  in: 'header' as const,
  required: false,
  description:
    'Signature of the provider, `sha256=` and hex digits; required for its form where `WEBHOOK_APP_SECRET` is set.',
  schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
};

/** Inputs that guards and readers of a few routes require, and that no decorator shows. By controller and handler. */
export function supplements(describe: Describe): Readonly<Record<string, Partial<Operation>>> {
  return {
    'MessagingController.receive': {
      security: [{ webhookSecret: [] }],
      parameters: [SIGNATURE],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { anyOf: [inputSchema(FormDeliveryDto, describe), WHATSAPP_DELIVERY] },
          },
        },
      },
    },
    'IncomingWebhooksController.receive': {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              description: 'What the service sends by itself.',
              examples: [{ zen: 'Design for failure.', repository: { name: 'kitchen' } }],
            },
          },
          'application/x-www-form-urlencoded': {
            schema: {
              description: 'The same as JSON in `payload`; or fields, as a few services send them.',
              type: 'object',
              properties: { payload: { type: 'string' } },
            },
          },
        },
      },
      responses: {
        '200': {
          description:
            'Success; or `UNSUPPORTED_WEBHOOK_EVENT_TYPE`, which services are not to repeat, and are told as a success for that.',
          content: { 'application/json': { schema: { anyOf: [WEBHOOK_ANSWER, referenceTo('Refusal')] } } },
        },
      },
    },
    'MetricsController.read': { security: [{}, { metricsToken: [] }] },
  };
}
