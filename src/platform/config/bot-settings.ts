import { FirstStartSettings } from './first-start-settings';
import { Setting } from './setting';
import * as kind from './setting-kinds';

/** Programs that take part in conversations, and people outside who do. */
export abstract class BotSettings extends FirstStartSettings {
  @Setting('OUTGOING_WEBHOOKS_TIMEOUT_SECONDS', kind.integer(1, 120), {
    section: 'Bots',
    default: '10',
    about: 'Time limit for the answer of a bot’s webhook, which is then called again later.',
  })
  readonly webhookTimeoutSeconds!: number;

  @Setting('OUTGOING_WEBHOOKS_PRIVATE_NETWORKS', kind.networks(), {
    section: 'Bots',
    default: '',
    defaultMeans: 'none',
    about:
      'Private networks that bots’ webhooks and browsers’ push services may reach. Users choose these ' +
      'addresses; by default, none reaches this machine, its network or cloud metadata services.',
  })
  readonly webhookPrivateNetworks!: readonly string[];

  @Setting('WEBHOOK_SECRET', kind.text(), {
    section: 'Messaging bridge',
    default: null,
    defaultMeans: 'none: every delivery is refused',
    about:
      'Expected header `X-Webhook-Secret` of deliveries to `POST /api/messaging/webhook`; use at least 32 ' +
      'random characters. For providers that cannot send headers, a proxy adds it to signed requests ' +
      '([how](messaging.md#connect-whatsapp)); then also set `WEBHOOK_APP_SECRET`.',
    secret: true,
  })
  readonly webhookSecret!: string | null;

  @Setting('WEBHOOK_APP_SECRET', kind.text(), {
    section: 'Messaging bridge',
    default: null,
    defaultMeans: 'none: the signature is not looked at',
    about:
      'WhatsApp’s app secret, for signatures (`X-Hub-Signature-256`). If set, deliveries in WhatsApp’s ' +
      'format need signature and header, and wrong signatures are refused in either format.',
    secret: true,
  })
  readonly webhookAppSecret!: string | null;

  @Setting('WEBHOOK_VERIFY_TOKEN', kind.text(), {
    section: 'Messaging bridge',
    default: null,
    defaultMeans: 'none: every handshake is refused',
    about: 'Token of the provider’s handshake, `GET /api/messaging/webhook`.',
    secret: true,
  })
  readonly webhookVerifyToken!: string | null;

  @Setting('WEBHOOK_CHANNEL', kind.channelName(), {
    section: 'Messaging bridge',
    default: 'messaging',
    about:
      'Channel in which each outside sender gets a topic. If missing, the first message creates it: ' +
      'private, with all owners and administrators. Renaming it later, or moving topics, does not ' +
      'interrupt conversations.',
  })
  readonly webhookChannel!: string;

  @Setting('MESSAGING_SEND_URL', kind.serviceUrl('http', 'https'), {
    section: 'Messaging bridge',
    default: null,
    defaultMeans: 'none: answers go to `GET /api/messaging/mock-log`',
    about:
      'Address to which answers in such topics are posted as JSON. It may contain credentials, and be in ' +
      'a private network. Answers without a 2xx status are retried for a day; later ones wait.',
    secret: true,
  })
  readonly messagingSendUrl!: string | null;
}
