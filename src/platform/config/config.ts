import { isIPv6 } from 'node:net';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { Setting, settingsOf, type SettingTexts } from './setting';
import * as kind from './setting-kinds';
import { StartRefused } from './start-refused';

const MIB = 1024 * 1024;

/**
 * Everything an operator can set, one field per environment variable; `docs/configuration.md` is generated from it.
 * Only {@link loadConfig} creates it, and it never changes afterwards.
 */
export class Config {
  @Setting('HOST', kind.hostName(), {
    section: 'Network',
    default: '127.0.0.1',
    about:
      'Address to listen on. The default serves this machine only; `0.0.0.0` or `::` serves every network it is in. ' +
      'Put a proxy that speaks TLS in front before others can reach it, or set `TLS_CERT` and `TLS_KEY`.',
  })
  readonly host!: string;

  @Setting('PORT', kind.integer(0, 65535), {
    section: 'Network',
    default: '9991',
    about: 'Port to listen on. `0` lets the system choose a free one.',
  })
  readonly port!: number;

  @Setting('TLS_CERT', kind.file(), {
    section: 'Network',
    default: null,
    defaultMeans: 'none: plain HTTP, for a proxy in front',
    about:
      'PEM file with the certificate of the server and those between it and its root. With it and `TLS_KEY` the server ' +
      'speaks TLS itself, 1.2 or later, and nothing else. Both files are read again on SIGHUP.',
  })
  readonly tlsCert!: string | null;

  @Setting('TLS_KEY', kind.file(), {
    section: 'Network',
    default: null,
    defaultMeans: 'none',
    about: 'PEM file with the private key of the certificate, without a passphrase.',
  })
  readonly tlsKey!: string | null;

  @Setting('EXTERNAL_URL', kind.siteUrl(), {
    section: 'Network',
    default: ownAddress,
    defaultMeans: '`http://`, or `https://` with `TLS_CERT`, then `HOST` and `PORT`',
    about: 'Address under which clients reach the server; links in answers begin with it.',
  })
  readonly externalUrl!: string;

  @Setting('TRUSTED_PROXIES', kind.networks(), {
    section: 'Network',
    default: '',
    defaultMeans: 'none',
    about:
      'Proxies whose `X-Forwarded-*` headers are believed. Anybody else who sends such a header is taken for the ' +
      'address that the connection comes from.',
  })
  readonly trustedProxies!: readonly string[];

  @Setting('CONSOLE', kind.oneOf(['on', 'off']), {
    section: 'Network',
    default: 'on',
    about:
      'Whether people can use the server with a browser: the console at `/console`, where they talk and administrators ' +
      'administer. The interfaces do not depend on it.',
  })
  readonly console!: 'on' | 'off';

  @Setting('RATE_LIMIT_PER_MINUTE', kind.integer(0, 1_000_000), {
    section: 'Network',
    default: '200',
    about:
      'Requests that one account may make within a minute, on each node for itself; `0` switches the limit off.',
  })
  readonly rateLimitPerMinute!: number;

  @Setting('LOGIN_RATE_LIMIT_MAX_ATTEMPTS', kind.integer(1, 1_000_000), {
    section: 'Network',
    default: '5',
    about:
      'Failed logins from one address for one e-mail address within the window below, after which further ones are ' +
      'refused, with the right password too. Counted together for the companion interface and for fetching an API key.',
  })
  readonly loginMaxAttempts!: number;

  @Setting('LOGIN_RATE_LIMIT_WINDOW_SECONDS', kind.integer(1, 31_536_000), {
    section: 'Network',
    default: '900',
    about: 'How long a failed login counts.',
  })
  readonly loginWindowSeconds!: number;

  @Setting('LOGIN_RATE_LIMIT_ADDRESS_MAX_ATTEMPTS', kind.integer(0, 1_000_000), {
    section: 'Network',
    default: '0',
    about:
      'Failed logins from one address within the window, whatever the e-mail addresses, after which all from there are ' +
      'refused: against trying one password on many people. `0` switches it off. People behind one proxy or router ' +
      'share an address.',
  })
  readonly loginAddressMaxAttempts!: number;

  @Setting('ACCESS_TOKEN_LIFETIME_SECONDS', kind.integer(60, 31_536_000), {
    section: 'Network',
    default: '28800',
    about:
      'How long somebody who signs in to the companion interface stays signed in. A token ends earlier when its owner ' +
      'signs out, is deactivated, or gets another role or password.',
  })
  readonly accessTokenLifetimeSeconds!: number;

  @Setting('BROWSER_SESSION_LIFETIME_SECONDS', kind.integer(60, 31_536_000), {
    section: 'Network',
    default: '1209600',
    about:
      'How long somebody who signs in with a browser stays signed in; two weeks, if not set. The session ends earlier ' +
      'when its owner signs out or is deactivated, gets another role, or changes the password elsewhere.',
  })
  readonly browserSessionLifetimeSeconds!: number;

  @Setting('MAX_UPLOAD_MIB', kind.integer(1, 4096), {
    section: 'Network',
    default: '25',
    about: 'Largest file that may be uploaded, in MiB.',
  })
  readonly maxUploadMib!: number;

  @Setting('UPLOAD_QUOTA_MIB', kind.integer(0, 1_000_000_000), {
    section: 'Network',
    default: '0',
    about:
      'How much all uploaded files together may take, in MiB, with the smaller versions of pictures; `0` sets no limit. ' +
      'Pictures of people and emoji do not count.',
  })
  readonly uploadQuotaMib!: number;

  @Setting('UPLOAD_QUOTA_PER_PERSON_MIB', kind.integer(0, 1_000_000_000), {
    section: 'Network',
    default: '5120',
    about:
      'How much the uploaded files of one person and their bots may take, in MiB; `0` sets no limit. Where somebody has more ' +
      'already, nothing is deleted, and nothing added.',
  })
  readonly personalUploadQuotaMib!: number;

  @Setting('SHUTDOWN_TIMEOUT_SECONDS', kind.integer(1, 600), {
    section: 'Network',
    default: '8',
    about:
      'How long requests in flight may take to finish once the server is told to stop. Keep it below the time after ' +
      'which your service manager kills the process.',
  })
  readonly shutdownTimeoutSeconds!: number;

  @Setting('DATA_DIR', kind.folder(), {
    section: 'Data',
    default: 'data',
    about:
      'Folder for the embedded database, uploaded files and the generated secret; made when it is missing. A relative ' +
      'path starts at the folder the server is started in.',
  })
  readonly dataDir!: string;

  @Setting('DATABASE_URL', kind.postgresUrl(), {
    section: 'Data',
    default: null,
    defaultMeans: 'the embedded database in `DATA_DIR`',
    about:
      'PostgreSQL database to use, such as `postgres://parley:password@localhost/parley`. Where several servers take turns, ' +
      'name all of them, as in `postgres://parley:password@one,two:5433/parley`: the one that takes writes is used, ' +
      'and after a failover the next one.',
    secret: true,
  })
  readonly databaseUrl!: string | null;

  @Setting('DATABASE_POOL_SIZE', kind.integer(3, 1000), {
    section: 'Data',
    default: '20',
    about:
      'Most connections that one node opens to PostgreSQL: half of them for reads, half for writes. The embedded database does not use it.',
  })
  readonly databasePoolSize!: number;

  @Setting('WORKERS', kind.integer(1, 64), {
    section: 'Data',
    default: '1',
    about:
      'How many processes serve on this machine, each like a node of its own; one for each core is enough. Needs PostgreSQL, ' +
      'and `DATABASE_POOL_SIZE` connections for each.',
  })
  readonly workers!: number;

  @Setting('DATABASE_POOLER', kind.oneOf(['none', 'transaction', 'transaction-prepared']), {
    section: 'Data',
    default: 'none',
    about:
      'What stands between this server and PostgreSQL. With `transaction`, nothing is asked for that a pooler such as PgBouncer ' +
      'does not keep between two transactions; `transaction-prepared` is for those that keep prepared statements, as ' +
      'PgBouncer does from 1.21 on, with `max_prepared_statements` of 300 or more. A pooler that keeps a connection for each ' +
      'client (`session`) needs nothing.',
  })
  readonly databasePooler!: 'none' | 'transaction' | 'transaction-prepared';

  @Setting('DATABASE_CONNECT_TIMEOUT_SECONDS', kind.integer(1, 60), {
    section: 'Data',
    default: '5',
    about: 'How long a request waits for a connection to PostgreSQL before it is refused with 503.',
  })
  readonly databaseConnectTimeoutSeconds!: number;

  @Setting('DATABASE_READ_TIMEOUT_SECONDS', kind.integer(1, 600), {
    section: 'Data',
    default: '7',
    about:
      'How long PostgreSQL may take for one statement that reads. A connection on which nothing comes for two seconds longer ' +
      'is given up. The embedded database does not use it.',
  })
  readonly databaseReadTimeoutSeconds!: number;

  @Setting('DATABASE_WRITE_TIMEOUT_SECONDS', kind.integer(1, 600), {
    section: 'Data',
    default: '15',
    about:
      'How long a transaction on PostgreSQL may be open before it is rolled back. A connection on which nothing comes for two ' +
      'seconds longer is given up. The embedded database does not use it.',
  })
  readonly databaseWriteTimeoutSeconds!: number;

  @Setting('REDIS_URL', kind.serviceUrl('redis', 'rediss'), {
    section: 'Data',
    default: null,
    defaultMeans: 'none: one node',
    about:
      'Redis over which several nodes on one PostgreSQL database tell each other what happens. Without it, and while it ' +
      'is down, clients of another node learn of a change up to a second later and do not see who types, and each ' +
      'node counts failed logins for itself. The embedded database does not use it.',
    secret: true,
  })
  readonly redisUrl!: string | null;

  @Setting('SQLITE_DRIVER', kind.oneOf(['auto', 'better-sqlite3', 'libsql']), {
    section: 'Data',
    default: 'auto',
    about:
      'Driver of the embedded database. `auto` takes better-sqlite3 where it could be installed, otherwise libsql.',
  })
  readonly sqliteDriver!: 'auto' | 'better-sqlite3' | 'libsql';

  @Setting('SQLITE_SYNCHRONOUS', kind.oneOf(['full', 'normal']), {
    section: 'Data',
    default: 'full',
    about:
      'With `full`, a change that was acknowledged survives a power cut. `normal` writes faster, and a power cut may ' +
      'undo the last moments; the database stays sound either way.',
  })
  readonly sqliteSynchronous!: 'full' | 'normal';

  @Setting('EVENT_RETENTION_HOURS', kind.integer(1, 8784), {
    section: 'Data',
    default: '169',
    about:
      'How long events are kept at most for clients that are away; they go earlier once no client can ask for them. ' +
      'No client queue can be idle for longer than this.',
  })
  readonly eventRetentionHours!: number;

  @Setting('AUDIT_RETENTION_DAYS', kind.integer(0, 36_500), {
    section: 'Data',
    default: '0',
    about: 'How many days entries of the audit log are kept; `0` keeps them for ever.',
  })
  readonly auditRetentionDays!: number;

  @Setting('SECRET_KEY', kind.text(32), {
    section: 'Secrets',
    default: null,
    defaultMeans: 'made at the first start, in the file `secret` in `DATA_DIR`',
    about:
      'Secret from which API keys are derived and with which tokens are signed. Every node on one database needs the ' +
      'same one. Another secret makes every API key worthless, so the server refuses to start with it unless ' +
      '`SECRET_KEY_PREVIOUS` says that the change is meant.',
    secret: true,
  })
  readonly secretKey!: string | null;

  @Setting('SECRET_KEY_PREVIOUS', kind.text(32), {
    section: 'Secrets',
    default: null,
    defaultMeans: 'none',
    about:
      'The secret before the last change. While it is set, keys and tokens made with it are still accepted; take it ' +
      'away once everybody has fetched a new key.',
    secret: true,
  })
  readonly secretKeyPrevious!: string | null;

  @Setting('KEEP_SECRET', kind.flag(), {
    section: 'Secrets',
    default: 'false',
    about:
      'Makes a new organization with the secret that is in the data folder already. Without this, a start with a secret ' +
      'and without its database is refused, because the database is probably only somewhere else. Set it for one start, ' +
      'or use `parley init --keep-secret`.',
  })
  readonly keepSecret!: boolean;

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
    about: 'Address of the owner that the first start creates.',
  })
  readonly ownerEmail!: string | null;

  @Setting('OWNER_PASSWORD', kind.text(6), {
    section: 'First start',
    default: null,
    defaultMeans: 'generated, and shown once',
    about: 'Password of the owner that the first start creates, which refuses one that is easy to guess.',
    secret: true,
  })
  readonly ownerPassword!: string | null;

  @Setting('EMAIL_DOMAIN', kind.domainName(), {
    section: 'Organization',
    default: ownDomain,
    defaultMeans: 'the host name of `EXTERNAL_URL`, or `parley.localhost` where that is no domain name',
    about:
      'Domain of the addresses the server makes up: those of bots, of channels, and of people whose own is hidden.',
  })
  readonly emailDomain!: string;

  @Setting('WEB_PUBLIC_STREAMS_ENABLED', kind.flag(), {
    section: 'Organization',
    default: 'false',
    about:
      'Whether channels may be opened to readers without an account. The organization has to allow it as well.',
  })
  readonly webPublicStreamsEnabled!: boolean;

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
      'Private networks that webhooks of bots may lead into. Owners choose the addresses of their bots, and without this ' +
      'none of them leads to this machine, into the network it is in or to what a cloud offers its machines only.',
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

  @Setting('JITSI_SERVER_URL', kind.serviceUrl('https', 'http'), {
    section: 'Operation',
    default: 'https://meet.jit.si',
    about:
      'Server of the video calls that clients offer where the organization names none of its own. Only clients connect to it.',
  })
  readonly jitsiServerUrl!: string;

  @Setting('GIPHY_API_KEY', kind.text(), {
    section: 'Operation',
    default: null,
    defaultMeans: 'none: clients offer no GIFs from GIPHY',
    about:
      'Key with which clients search GIPHY for GIFs. Every client is told it, and asks GIPHY directly; the organization says ' +
      'up to which rating.',
  })
  readonly giphyApiKey!: string | null;

  @Setting('KLIPY_API_KEY', kind.text(), {
    section: 'Operation',
    default: null,
    defaultMeans: 'none: clients offer no GIFs from KLIPY',
    about: 'The same for KLIPY.',
  })
  readonly klipyApiKey!: string | null;

  @Setting('SMTP_URL', kind.mailServerUrl(), {
    section: 'Mail',
    default: null,
    defaultMeans: 'none: no mail is sent, and people hand over invitations themselves',
    about:
      'Mail server that takes the mails for people, such as `smtp://parley:password@mail.example.com:587`: invitations, ' +
      'and links for a new password. `smtp://` (port 587 unless it says otherwise) goes over to TLS where the server ' +
      'offers it, and gives the password through TLS only, unless the server is this machine; `smtps://` (port 465) ' +
      'speaks TLS from the start. Characters such as `@` in name and password are written as `%40`. May be in a private network.',
    secret: true,
  })
  readonly smtpUrl!: string | null;

  @Setting('MAIL_FROM', kind.emailAddress(), {
    section: 'Mail',
    default: ({ EMAIL_DOMAIN }) => `noreply@${EMAIL_DOMAIN}`,
    defaultMeans: '`noreply@` and `EMAIL_DOMAIN`',
    about: 'Address that mails come from; the mail server has to accept it as the sender.',
  })
  readonly mailFrom!: string;

  @Setting('WEB_APP_DIR', kind.folder(), {
    section: 'Operation',
    default: null,
    defaultMeans: 'none: the console is what people see in a browser',
    about:
      'Folder of a Zulip release, as its archive unpacks, whose web app the server shows at `/` to whoever is signed in ' +
      '([how](web-app.md)). A folder that does not fit refuses the start; `parley web-app check` says why.',
  })
  readonly webAppDir!: string | null;

  @Setting('SERVER_MODE', kind.oneOf(['production', 'development']), {
    section: 'Operation',
    default: 'production',
    about:
      '`development` hands the API key of every account to anybody who asks; never use it with real people.',
  })
  readonly serverMode!: 'production' | 'development';

  @Setting('ALLOW_DEVELOPMENT_ON_ANY_ADDRESS', kind.flag(), {
    section: 'Operation',
    default: 'false',
    about: 'Allows `SERVER_MODE=development` on a `HOST` other machines can reach.',
  })
  readonly allowDevelopmentOnAnyAddress!: boolean;

  @Setting('PARLEY_MODULES', kind.modules(), {
    section: 'Operation',
    default: '',
    defaultMeans: 'none',
    about:
      'Modules to run with: folders and installed packages. They may do whatever the server may, so name only what you trust. ' +
      'Their own variables begin with `MODULE_` and their name. [Modules](modules.md) says how to write one.',
  })
  readonly modules!: readonly string[];

  @Setting('READY_NEEDS_REDIS', kind.flag(), {
    section: 'Operation',
    default: 'false',
    about:
      'Whether `/health/ready` answers 503 while `REDIS_URL` names a Redis that does not answer. Otherwise it is 200 with a ' +
      'warning: nodes serve without Redis, and a load balancer would take all of them out of service at once.',
  })
  readonly readyNeedsRedis!: boolean;

  @Setting('METRICS_TOKEN', kind.text(16), {
    section: 'Operation',
    default: null,
    defaultMeans: 'none: `/metrics` answers only what comes from this machine itself, and through no proxy',
    about: 'Token that `/metrics` asks for, wherever a request comes from, as `Authorization: Bearer`.',
    secret: true,
  })
  readonly metricsToken!: string | null;

  @Setting('LOG_LEVEL', kind.oneOf(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']), {
    section: 'Operation',
    default: 'info',
    about: 'Least severity that is logged. `info` includes a line for every request.',
  })
  readonly logLevel!: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

  /** Whether clients reach the server through TLS, its own or that of a proxy. */
  get isReachedThroughTls(): boolean {
    return this.tlsCert !== null || this.externalUrl.startsWith('https:');
  }

  get isDevelopment(): boolean {
    return this.serverMode === 'development';
  }

  /**
   * The address under which clients reach the server. Port 0 in `EXTERNAL_URL` means the port that the system chose.
   * @param url where the server actually listens
   */
  siteAt(url: string): string {
    return new URL(this.externalUrl).port === '0' ? url : this.externalUrl;
  }

  get maxUploadBytes(): number {
    return this.maxUploadMib * MIB;
  }

  /** What all uploads together may take; infinite without a limit. */
  get uploadQuotaBytes(): number {
    return this.uploadQuotaMib === 0 ? Infinity : this.uploadQuotaMib * MIB;
  }

  /** What the uploads of a person and their bots may take; infinite without a limit. */
  get personalUploadQuotaBytes(): number {
    return this.personalUploadQuotaMib === 0 ? Infinity : this.personalUploadQuotaMib * MIB;
  }
}

/** The environment has values with which the server cannot start; the message has one sentence a line. */
export class ConfigurationError extends StartRefused {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Reads and checks the configuration; the only place that reads the environment. An empty variable counts as unset,
 * because container tools write unset variables that way.
 * @throws {ConfigurationError} naming each variable with a wrong value, and what is allowed
 */
export function loadConfig(env: Environment = process.env): Config {
  const { values: config, problems } = readVariables(Config, env);
  if (problems.length === 0) problems.push(...contradictions(config));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return Object.freeze(config);
}

/**
 * The same for another class with fields declared by `Setting`: what a module lets an operator set.
 * @throws {ConfigurationError}
 */
export function loadSettings<T extends object>(settings: new () => T, env: Environment = process.env): T {
  const { values, problems } = readVariables(settings, env);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return Object.freeze(values);
}

type Environment = Readonly<Record<string, string | undefined>>;

function readVariables<T extends object>(
  fields: new () => T,
  env: Environment,
): { readonly values: T; readonly problems: string[] } {
  const settings = settingsOf(fields.prototype as object);
  const texts: Record<string, string | null> = {};
  for (const { variable, default: fallback } of settings) {
    texts[variable] = env[variable] || (typeof fallback === 'function' ? fallback(texts) : fallback);
  }
  const values = plainToInstance(fields, texts, { excludeExtraneousValues: true });
  const problems = validateSync(values, { forbidUnknownValues: false })
    .filter(({ property }) =>
      settings.some((setting) => setting.property === property && env[setting.variable]),
    )
    .flatMap(({ constraints }) => Object.values(constraints ?? {}));
  return { values, problems };
}

/** The same with some variables overridden. */
export function loadConfigWith(given: Readonly<Record<string, string | undefined>>): Config {
  return loadConfig({ ...process.env, ...given });
}

/** The environment for a child process. */
export function environment(): NodeJS.ProcessEnv {
  return process.env;
}

/** Whether `npx` or `npm start` started this process. */
export function isStartedByNpm(): boolean {
  return ['npx', 'start'].includes(process.env.npm_lifecycle_event ?? '');
}

/** Settings that are valid alone but contradict each other. */
function* contradictions(config: Config): Generator<string> {
  if (config.isDevelopment && !isLoopback(config.host) && !config.allowDevelopmentOnAnyAddress) {
    yield (
      `HOST is "${config.host}" while SERVER_MODE is "development", which gives every API key to anyone who asks: ` +
      'HOST must be a loopback address such as 127.0.0.1, or ALLOW_DEVELOPMENT_ON_ANY_ADDRESS must be true.'
    );
  }
  if ((config.tlsCert === null) !== (config.tlsKey === null)) {
    const [given, missing] = config.tlsCert === null ? ['TLS_KEY', 'TLS_CERT'] : ['TLS_CERT', 'TLS_KEY'];
    yield `${given} is set and ${missing} is not: TLS needs both, the certificate and its key.`;
  }
  if (config.workers > 1 && config.databaseUrl === null) {
    yield 'WORKERS has a value that is not allowed: without DATABASE_URL, it must be 1.';
  }
  if (config.secretKeyPrevious !== null && config.secretKeyPrevious === config.secretKey) {
    yield 'SECRET_KEY_PREVIOUS has a value that is not allowed: it must differ from SECRET_KEY.';
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * A server that listens on every address is named by its loopback address, because no client can connect to
 * "everywhere".
 */
function ownAddress({ HOST, PORT, TLS_CERT }: SettingTexts): string {
  const named = { '0.0.0.0': '127.0.0.1', '::': '::1' }[HOST ?? ''] ?? HOST ?? '';
  return `${TLS_CERT ? 'https' : 'http'}://${isIPv6(named) ? `[${named}]` : named}:${PORT}`;
}

function ownDomain({ EXTERNAL_URL }: SettingTexts): string {
  const host = URL.canParse(EXTERNAL_URL ?? '') ? new URL(EXTERNAL_URL ?? '').hostname : '';
  return kind.domainName().parse(host) ?? 'parley.localhost';
}
