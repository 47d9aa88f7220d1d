import { isIPv6 } from 'node:net';
import { Setting, type SettingTexts } from './setting';
import * as kind from './setting-kinds';

/** How clients reach the server, and how much each of them may ask of it. */
export abstract class NetworkSettings {
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

  @Setting('ALLOWED_HOSTS', kind.hostNames(), {
    section: 'Network',
    default: '',
    defaultMeans: 'none',
    about:
      'Further host names that clients may reach the server by, such as `chat.lan, *.example.com`. It answers for those in ' +
      '`EXTERNAL_URL` and `HOST`, for `localhost` and for every IP address, and refuses others with 421: otherwise other ' +
      'sites could make their names lead here and have browsers read the answers (DNS rebinding).',
  })
  readonly allowedHosts!: readonly string[];

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
      'Lifetime of sessions of the companion interface. A token ends earlier when its owner ' +
      'signs out, is deactivated, or gets another role or password.',
  })
  readonly accessTokenLifetimeSeconds!: number;

  @Setting('BROWSER_SESSION_LIFETIME_SECONDS', kind.integer(60, 31_536_000), {
    section: 'Network',
    default: '1209600',
    about:
      'Lifetime of browser sessions; two weeks, if not set. The session ends earlier ' +
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
      'Quota for the uploads of one person and their bots, in MiB; `0` sets no limit. If a person has more ' +
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

  @Setting('SHUTDOWN_DELAY_SECONDS', kind.integer(0, 300), {
    section: 'Network',
    default: '0',
    about:
      'How long the server goes on serving once it is told to stop, while `/health/ready` already answers 503. Behind a load ' +
      'balancer, make it longer than the balancer takes to notice, so that nothing is sent to a node that is gone.',
  })
  readonly shutdownDelaySeconds!: number;
}

/**
 * A server that listens on every address is named by its loopback address, because no client can connect to
 * "everywhere".
 */
function ownAddress({ HOST, PORT, TLS_CERT }: SettingTexts): string {
  const named = { '0.0.0.0': '127.0.0.1', '::': '::1' }[HOST ?? ''] ?? HOST ?? '';
  return `${TLS_CERT ? 'https' : 'http'}://${isIPv6(named) ? `[${named}]` : named}:${PORT}`;
}
