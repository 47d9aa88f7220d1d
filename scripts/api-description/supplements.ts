import { FormDeliveryDto } from '../../src/features/messaging-bridge/messaging.dto';
import type { Operation } from '../../src/features/api-description/openapi';
import type { Schema } from '../../src/features/api-description/schema';
import { inputSchema } from './companion-input';
import type { Describe } from './main-input';

/** What WhatsApp delivers; only what the server reads. */
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

const SIGNATURE = {
  name: 'X-Hub-Signature-256',
  in: 'header' as const,
  required: false,
  description:
    'Signature of the provider, `sha256=` and hex digits; required for its form where `WEBHOOK_APP_SECRET` is set.',
  schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
};

/** What guards and readers of a few routes ask for, which no decorator shows. By controller and handler. */
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
    'MetricsController.read': { security: [{}, { metricsToken: [] }] },
  };
}
