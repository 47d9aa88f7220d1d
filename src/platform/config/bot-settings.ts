import { FirstStartSettings } from './first-start-settings';
import { Setting } from './setting';
import * as kind from './setting-kinds';

/** Programs that take part in conversations, and people outside who do. */
export abstract class BotSettings extends FirstStartSettings {
  @Setting('OUTGOING_WEBHOOKS_TIMEOUT_SECONDS', kind.integer(1, 120), {
    section: 'Bots',
    default: '10',
    about: 'How long the webhook of a bot may take to answer, after which it is called again a little later.',
  })
  readonly webhookTimeoutSeconds!: number;

  @Setting('OUTGOING_WEBHOOKS_PRIVATE_NETWORKS', kind.networks(), {
    section: 'Bots',
    default: '',
    defaultMeans: 'none',
    about:
      'Private networks that webhooks of bots and push services of browsers may lead into. Users choose these addresses, and ' +
      'without this none of them leads to this machine, into the network it is in or to what a cloud offers its machines only.',
  })
  readonly webhookPrivateNetworks!: readonly string[];

  @Setting('WEBHOOK_SECRET', kind.text(), {
    section: 'Messaging bridge',
    default: null,
    defaultMeans: 'none: every delivery is refused',
    about:
      'What deliveries to `POST /api/messaging/webhook` carry in the header `X-Webhook-Secret`; choose at least 32 random ' +
      'characters. A provider that cannot send headers of yours goes through a proxy that adds it to what is signed, in ' +
      'nginx with `proxy_set_header X-Webhook-Secret` ([how](messaging.md#connect-whatsapp)); set `WEBHOOK_APP_SECRET` then.',
    secret: true,
  })
  readonly webhookSecret!: string | null;

  @Setting('WEBHOOK_APP_SECRET', kind.text(), {
    section: 'Messaging bridge',
    default: null,
    defaultMeans: 'none: the signature is not looked at',
    about:
      'App secret with which WhatsApp signs what it delivers (`X-Hub-Signature-256`). While it is set, deliveries in the ' +
      'form of WhatsApp need both the signature and the header, and a wrong signature is refused in either form.',
    secret: true,
  })
  readonly webhookAppSecret!: string | null;

  @Setting('WEBHOOK_VERIFY_TOKEN', kind.text(), {
    section: 'Messaging bridge',
    default: null,
    defaultMeans: 'none: every handshake is refused',
    about: 'Token that the provider names in the handshake, `GET /api/messaging/webhook`.',
    secret: true,
  })
  readonly webhookVerifyToken!: string | null;

  @Setting('WEBHOOK_CHANNEL', kind.channelName(), {
    section: 'Messaging bridge',
    default: 'messaging',
    about:
      'Channel in which people outside get a topic each when they write for the first time. Where there is none of this ' +
      'name, the first message makes it: private, with all owners and administrators in it. It may be renamed later; ' +
      'conversations stay in the topic that they have, wherever that is moved.',
  })
  readonly webhookChannel!: string;

  @Setting('MESSAGING_SEND_URL', kind.serviceUrl('http', 'https'), {
    section: 'Messaging bridge',
    default: null,
    defaultMeans: 'none: answers go to `GET /api/messaging/mock-log`',
    about:
      'Address to which answers that people write in such a topic are posted as JSON. It may contain a name and a ' +
      'password, and may be in a private network. An answer that is not taken (status 200 to 299) is posted again for a ' +
      'day, later each time; those after it wait.',
    secret: true,
  })
  readonly messagingSendUrl!: string | null;
}
