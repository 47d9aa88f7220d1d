import { createHmac } from 'node:crypto';
import type { Answer } from './api-client';
import type { Member } from './cast';
import { expectSuccess } from './expect-answer';
import { fetchMessages } from './message-setup';
import type { TestApp } from './test-app';

export const WEBHOOK_SECRET = 'a secret of the webhook, long enough';
export const APP_SECRET = 'what the provider signs with';
export const VERIFY_TOKEN = 'a token for the handshake';

let counter = 0;

/** A delivery in the plain format, new unless the values say otherwise. */
export const formDelivery = (values: object = {}) => ({
  from: '+49 151 123',
  text: 'hello',
  id: `m${++counter}`,
  timestamp: Math.floor(Date.now() / 1000),
  ...values,
});

/** A WhatsApp message. */
export const whatsappMessage = (values: object = {}) => ({
  from: '49151123',
  id: `wamid.${++counter}`,
  timestamp: String(Math.floor(Date.now() / 1000)),
  type: 'text',
  text: { body: 'hello' },
  ...values,
});

/** A delivery of WhatsApp, with the sender's name. */
export const whatsappDelivery = (messages: readonly object[], name = 'Kerry Fisher') => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '1',
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: '4930123', phone_number_id: '777' },
            contacts: [{ wa_id: '49151123', profile: { name } }],
            messages,
          },
        },
      ],
    },
  ],
});

/** Delivers a payload, with the secret unless the headers say otherwise. */
export function deliver(
  app: TestApp,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return app.companion().post('/messaging/webhook', body, { 'x-webhook-secret': WEBHOOK_SECRET, ...headers });
}

/** The headers of a signing provider. */
export const signed = (body: string) => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`,
});

/** The Markdown of the channel's messages, oldest first. */
export async function messagesIn(app: TestApp, reader: Member, channel = 'messaging') {
  const narrow = [{ operator: 'channel', operand: channel }];
  const { messages } = expectSuccess(await fetchMessages(app, reader, narrow, { apply_markdown: false }));
  return (messages as MessageRecord[]).filter(({ subject }) => subject !== 'channel events');
}

export interface MessageRecord {
  readonly id: number;
  readonly subject: string;
  readonly content: string;
  readonly sender_id: number;
  readonly sender_full_name: string;
  readonly flags: readonly string[];
}
