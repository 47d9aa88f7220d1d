import { isIPv6 } from 'node:net';
import { Setting, type SettingTexts } from './setting';
import * as kind from './setting-kinds';

/** How clients reach the server, and their rate limits. */
export abstract class NetworkSettings {
  @Setting('HOST', kind.hostName(), {
    section: 'Network',
    default: '127.0.0.1',
    about:
      'Address to listen on. The default serves this machine only; `0.0.0.0` or `::` serves every ' +
      'network. Before others can reach it, put a TLS proxy in front, or set `TLS_CERT` and `TLS_KEY`.',
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
      'PEM file with the certificate and its intermediates. With `TLS_KEY`, the server speaks only TLS ' +
      '1.2 or later. SIGHUP reloads both.',
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
    about: 'Address at which clients reach the server, and the base of its links.',
  })
  readonly externalUrl!: string;

  @Setting('ALLOWED_HOSTS', kind.hostNames(), {
    section: 'Network',
    default: '',
    defaultMeans: 'none',
    about:
      'Further host names of the server, such as `chat.lan, *.example.com`. Requests for names other than ' +
      'these, those in `EXTERNAL_URL` and `HOST`, `localhost` and IP addresses get 421, against DNS ' +
      'rebinding.',
  })
  readonly allowedHosts!: readonly string[];

  @Setting('TRUSTED_PROXIES', kind.networks(), {
    section: 'Network',
    default: '',
    defaultMeans: 'none',
    about: 'Proxies whose `X-Forwarded-*` headers are believed. From other addresses they are ignored.',
  })
  readonly trustedProxies!: readonly string[];

  @Setting('CONSOLE', kind.oneOf(['on', 'off']), {
    section: 'Network',
    default: 'on',
    about: 'Whether to serve the console at `/console`. The API does not depend on it.',
  })
  readonly console!: 'on' | 'off';

  @Setting('RATE_LIMIT_PER_MINUTE', kind.integer(0, 1_000_000), {
    section: 'Network',
    default: '200',
    about: 'Requests per account and minute, on each node; `0` disables the limit.',
  })
  readonly rateLimitPerMinute!: number;

  @Setting('LOGIN_RATE_LIMIT_MAX_ATTEMPTS', kind.integer(1, 1_000_000), {
    section: 'Network',
    default: '5',
    about:
      'Failed logins per client address and email address within the window, after which further ones are ' +
      'refused, even with the right password. Both interfaces count together.',
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
    default: '50',
    about:
      'Accounts that logins from one client address may fail for within the window, after which all logins from ' +
      'there are refused: against password spraying. `0` disables it. People behind one router share an address.',
  })
  readonly loginAddressMaxAttempts!: number;

  @Setting('ACCESS_TOKEN_LIFETIME_SECONDS', kind.integer(60, 31_536_000), {
    section: 'Network',
    default: '28800',
    about:
      'Lifetime of companion sessions. They end earlier on sign-out, deactivation, or a new role or ' +
      'password.',
  })
  readonly accessTokenLifetimeSeconds!: number;

  @Setting('ACCESS_TOKEN_IDLE_SECONDS', kind.integer(900, 31_536_000), {
    section: 'Network',
    default: '28800',
    about: 'How long a companion session lasts without use, accurate to five minutes.',
  })
  readonly accessTokenIdleSeconds!: number;

  @Setting('BROWSER_SESSION_LIFETIME_SECONDS', kind.integer(60, 31_536_000), {
    section: 'Network',
    default: '1209600',
    about:
      'Lifetime of browser sessions, two weeks by default. They end earlier on sign-out, deactivation, a ' +
      'new role, or a password change elsewhere.',
  })
  readonly browserSessionLifetimeSeconds!: number;

  @Setting('BROWSER_SESSION_IDLE_SECONDS', kind.integer(900, 31_536_000), {
    section: 'Network',
    default: '604800',
    about: 'How long a browser session lasts without use, accurate to five minutes.',
  })
  readonly browserSessionIdleSeconds!: number;

  @Setting('MAX_UPLOAD_MIB', kind.integer(1, 4096), {
    section: 'Network',
    default: '25',
    about: 'Largest upload, in MiB.',
  })
  readonly maxUploadMib!: number;

  @Setting('UPLOAD_QUOTA_MIB', kind.integer(0, 1_000_000_000), {
    section: 'Network',
    default: '0',
    about:
      'Quota for all uploads with their thumbnails, in MiB, without avatars and emoji; `0` means ' +
      'unlimited.',
  })
  readonly uploadQuotaMib!: number;

  @Setting('UPLOAD_QUOTA_PER_PERSON_MIB', kind.integer(0, 1_000_000_000), {
    section: 'Network',
    default: '5120',
    about:
      'Quota for the uploads of one person and their bots, in MiB; `0` means unlimited. Above it, nothing ' +
      'is deleted, and nothing can be added.',
  })
  readonly personalUploadQuotaMib!: number;

  @Setting('SHUTDOWN_TIMEOUT_SECONDS', kind.integer(1, 600), {
    section: 'Network',
    default: '8',
    about:
      'How long requests in progress may take to finish during shutdown. Keep it below the time after ' +
      'which your service manager kills the process.',
  })
  readonly shutdownTimeoutSeconds!: number;

  @Setting('SHUTDOWN_DELAY_SECONDS', kind.integer(0, 300), {
    section: 'Network',
    default: '0',
    about:
      'How long a stopping server keeps serving while `/health/ready` answers 503. Make it longer than ' +
      'your load balancer takes to notice.',
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

/** Whether a configured host is this machine, so that traffic to it crosses no network. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
