import { DataSettings } from './data-settings';
import { Setting, type SettingTexts } from './setting';
import * as kind from './setting-kinds';

/** Initial settings of the organization, and those that only the operator can set. */
abstract class FirstStartSettings extends DataSettings {
  @Setting('ORGANIZATION_NAME', kind.visibleName(), {
    section: 'First start',
    default: 'Parley',
    about: 'Name of the organization that the first start creates.',
  })
  readonly organizationName!: string;

  @Setting('OWNER_EMAIL', kind.emailAddress(), {
    section: 'First start',
    default: null,
    defaultMeans: '`owner@` and `EMAIL_DOMAIN`',
    about: 'Email address of the owner that the first start creates.',
  })
  readonly ownerEmail!: string | null;

  @Setting('OWNER_PASSWORD', kind.text(8), {
    section: 'First start',
    default: null,
    defaultMeans: 'generated; shown on a terminal, otherwise in `first-sign-in.txt` in the data folder',
    about: 'Password of the owner that the first start creates. Weak ones are refused.',
    secret: true,
  })
  readonly ownerPassword!: string | null;

  @Setting('EMAIL_DOMAIN', kind.domainName(), {
    section: 'Organization',
    default: ownDomain,
    defaultMeans: 'the host name of `EXTERNAL_URL`, or `parley.localhost` where that is no domain name',
    about: 'Domain of generated addresses: those of bots, channels, and people who hide theirs.',
  })
  readonly emailDomain!: string;

  @Setting('WEB_PUBLIC_STREAMS_ENABLED', kind.flag(), {
    section: 'Organization',
    default: 'false',
    about:
      'Whether channels may be opened to readers without an account, if the organization also allows it.',
  })
  readonly webPublicStreamsEnabled!: boolean;
}

function ownDomain({ EXTERNAL_URL }: SettingTexts): string {
  const host = URL.canParse(EXTERNAL_URL ?? '') ? new URL(EXTERNAL_URL ?? '').hostname : '';
  return kind.domainName().parse(host) ?? 'parley.localhost';
}

/** Bots, webhooks and the mail gateway. */
abstract class BotSettings extends FirstStartSettings {
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

/** Jobs, other services, and monitoring. */
export abstract class OperationSettings extends BotSettings {
  @Setting('JITSI_SERVER_URL', kind.serviceUrl('https', 'http'), {
    section: 'Operation',
    default: 'https://meet.jit.si',
    about: 'Jitsi server for video calls, unless the organization sets one. Only clients connect to it.',
  })
  readonly jitsiServerUrl!: string;

  @Setting('GIPHY_API_KEY', kind.text(), {
    section: 'Operation',
    default: null,
    defaultMeans: 'none: clients offer no GIFs from GIPHY',
    about:
      'Key for searching GIPHY, sent to every client; clients query GIPHY directly. The organization sets ' +
      'the rating.',
  })
  readonly giphyApiKey!: string | null;

  @Setting('KLIPY_API_KEY', kind.text(), {
    section: 'Operation',
    default: null,
    defaultMeans: 'none: clients offer no GIFs from KLIPY',
    about: 'The same for KLIPY.',
  })
  readonly klipyApiKey!: string | null;

  @Setting('WEB_APP_DIR', kind.folder(), {
    section: 'Operation',
    default: null,
    defaultMeans: 'none: the console',
    about:
      'Unpacked folder of a Zulip release, whose web app is shown at `/` to signed-in users ' +
      '([how](web-app.md)). `parley web-app check` explains why the server refuses a folder.',
  })
  readonly webAppDir!: string | null;

  @Setting('SERVER_MODE', kind.oneOf(['production', 'development']), {
    section: 'Operation',
    default: 'production',
    about: '`development` gives anyone the API key of every account. Never use it with real people.',
  })
  readonly serverMode!: 'production' | 'development';

  @Setting('ALLOW_DEVELOPMENT_ON_ANY_ADDRESS', kind.flag(), {
    section: 'Operation',
    default: 'false',
    about: 'Allow `SERVER_MODE=development` on a `HOST` that other machines can reach.',
  })
  readonly allowDevelopmentOnAnyAddress!: boolean;

  @Setting('PARLEY_MODULES', kind.modules(), {
    section: 'Operation',
    default: '',
    defaultMeans: 'none',
    about:
      'Modules to load ([guide](modules.md)): folders and installed packages. They run with all rights of the ' +
      'server, so name only trusted ones. Their variables start with `MODULE_` and their name.',
  })
  readonly modules!: readonly string[];

  @Setting('READY_NEEDS_REDIS', kind.flag(), {
    section: 'Operation',
    default: 'false',
    about:
      'Whether `/health/ready` answers 503 while `REDIS_URL` does not respond. By default it is 200 with ' +
      'a warning: nodes work without Redis, and a load balancer would remove all of them at once.',
  })
  readonly readyNeedsRedis!: boolean;

  @Setting('IDENTITY_PROVIDERS', kind.file(), {
    section: 'Operation',
    default: null,
    defaultMeans: 'none: passwords only',
    about: 'JSON file of OpenID Connect and SAML providers ([format](identity.md)), read at startup.',
  })
  readonly identityProviders!: string | null;

  @Setting('LDAP_DIRECTORY', kind.file(), {
    section: 'Operation',
    default: null,
    about:
      'JSON file of an LDAP directory ([format](identity.md#ldap-and-active-directory)), read at startup.',
  })
  readonly ldapDirectory!: string | null;

  @Setting('METRICS_TOKEN', kind.text(16), {
    section: 'Operation',
    default: null,
    defaultMeans: 'none: `/metrics` answers only direct requests from this machine',
    about: 'Bearer token required by `/metrics`, from any address.',
    secret: true,
  })
  readonly metricsToken!: string | null;

  @Setting('OTEL_EXPORTER_OTLP_ENDPOINT', kind.serviceUrl('http', 'https'), {
    section: 'Operation',
    default: null,
    defaultMeans: 'none: no traces',
    about:
      'OpenTelemetry collector for traces of requests, transactions, jobs and webhook calls, as JSON over HTTP ' +
      '(`/v1/traces`). Failed and slow requests are always included.',
  })
  readonly tracesEndpoint!: string | null;

  @Setting('OTEL_EXPORTER_OTLP_HEADERS', kind.headers(), {
    section: 'Operation',
    default: '',
    defaultMeans: 'none',
    about: 'Headers for the collector, such as `authorization=Basic%20…`.',
    secret: true,
  })
  readonly tracesHeaders!: Readonly<Record<string, string>>;

  @Setting('OTEL_TRACES_SAMPLER_ARG', kind.share(), {
    section: 'Operation',
    default: '0.01',
    about: 'Share of requests and jobs that is traced. A trusted proxy’s `traceparent` decides instead.',
  })
  readonly tracesRatio!: number;

  @Setting('LOG_LEVEL', kind.oneOf(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']), {
    section: 'Operation',
    default: 'info',
    about: 'Minimum severity to log. `info` includes a line per request.',
  })
  readonly logLevel!: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

  @Setting('SMTP_URL', kind.mailServerUrl(), {
    section: 'Mail',
    default: null,
    defaultMeans: 'none: no mail is sent',
    about:
      'Mail server, such as `smtp://parley:password@mail.example.com:587`. `smtps://` (port 465) uses TLS ' +
      'from the start; `smtp://` (port 587) requires `STARTTLS`, except on this machine. The certificate ' +
      'must be valid. Write `@` in name and password as `%40`. It may be in a private network.',
    secret: true,
  })
  readonly smtpUrl!: string | null;

  @Setting('ALLOW_SMTP_WITHOUT_TLS', kind.flag(), {
    section: 'Mail',
    default: 'false',
    about:
      'Send mail in plain text to a server without TLS. Anyone on the network between can then use its ' +
      'links to join or to set passwords. A name and password in `SMTP_URL` still need TLS.',
  })
  readonly allowSmtpWithoutTls!: boolean;

  @Setting('MAIL_FROM', kind.emailAddress(), {
    section: 'Mail',
    default: ({ EMAIL_DOMAIN }) => `noreply@${EMAIL_DOMAIN}`,
    defaultMeans: '`noreply@` and `EMAIL_DOMAIN`',
    about: 'Sender address of mail; the mail server must accept it.',
  })
  readonly mailFrom!: string;

  @Setting('EMAIL_GATEWAY_PATTERN', kind.addressPattern(), {
    section: 'Mail',
    default: null,
    defaultMeans: '`%s@` and `EMAIL_DOMAIN`, without replies to notifications',
    about: 'Addresses whose mail `parley mail receive` takes; `%s` becomes what tells them apart.',
  })
  readonly emailGatewayPattern!: string | null;

  @Setting('EMAIL_GATEWAY_AUTHSERV_ID', kind.text(), {
    section: 'Mail',
    default: null,
    defaultMeans: 'none: all senders of mail show as unverified',
    about:
      'Name that your mail server gives in `Authentication-Results`. It must check DMARC, and remove such ' +
      'fields from the mail of others.',
  })
  readonly emailGatewayAuthservId!: string | null;
}
