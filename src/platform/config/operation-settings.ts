import { BotSettings } from './bot-settings';
import { Setting } from './setting';
import * as kind from './setting-kinds';

/** What else runs here or elsewhere for it, and how it is watched. */
export abstract class OperationSettings extends BotSettings {
  @Setting('JITSI_SERVER_URL', kind.serviceUrl('https', 'http'), {
    section: 'Operation',
    default: 'https://meet.jit.si',
    about:
      'Server of the video calls that clients offer if the organization configures none. Only clients connect to it.',
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

  @Setting('WEB_APP_DIR', kind.folder(), {
    section: 'Operation',
    default: null,
    defaultMeans: 'none: the console is what people see in a browser',
    about:
      'Folder of a Zulip release, as its archive unpacks, whose web app the server shows at `/` to signed-in users ' +
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

  @Setting('IDENTITY_PROVIDERS', kind.file(), {
    section: 'Operation',
    default: null,
    defaultMeans: 'none: people sign in with a password',
    about:
      'JSON file that lists the OpenID Connect providers with which people may sign in; [Identity](identity.md) says how ' +
      'to write it. Read at the start.',
  })
  readonly identityProviders!: string | null;

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

  @Setting('SMTP_URL', kind.mailServerUrl(), {
    section: 'Mail',
    default: null,
    defaultMeans: 'none: no mail is sent, and people hand over invitations themselves',
    about:
      'Mail server that takes the mails for people, such as `smtp://parley:password@mail.example.com:587`: invitations, ' +
      'and links for a new password. `smtps://` (port 465) speaks TLS from the start; `smtp://` (port 587 unless it says ' +
      'otherwise) switches to TLS by `STARTTLS`, and refuses to send anything to a server that does not offer it, unless ' +
      'it is on this machine. The certificate has to be valid. Characters such as `@` in name and password are written as `%40`. May be in a private network.',
    secret: true,
  })
  readonly smtpUrl!: string | null;

  @Setting('ALLOW_SMTP_WITHOUT_TLS', kind.flag(), {
    section: 'Mail',
    default: 'false',
    about:
      'Sends mails in plain text to a server that offers no TLS. Anyone on the network between them can then read the ' +
      'links in them, and use them to join or to set a new password. A name and password in `SMTP_URL` still need TLS.',
  })
  readonly allowSmtpWithoutTls!: boolean;

  @Setting('MAIL_FROM', kind.emailAddress(), {
    section: 'Mail',
    default: ({ EMAIL_DOMAIN }) => `noreply@${EMAIL_DOMAIN}`,
    defaultMeans: '`noreply@` and `EMAIL_DOMAIN`',
    about: 'Address that mails come from; the mail server has to accept it as the sender.',
  })
  readonly mailFrom!: string;
}
