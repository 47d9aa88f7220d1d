import { BlockList, isIP, isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { domainToASCII } from 'node:url';
import { isEmail, isFQDN } from 'class-validator';
import { bucketAddress, postgresAddresses } from './server-addresses';
import { composedName, forbiddenPlace } from '../names/visible-name';

/** Parses the text of a variable. */
export interface SettingKind<T> {
  /** `undefined` rejects the text. */
  parse(text: string): T | undefined;
  /** Markdown; completes the sentence "it must be ...". */
  allowed: string;
}

/** Text of at least `minLength` characters, used unchanged. */
export function text(minLength = 1): SettingKind<string> {
  return {
    parse: (given) => (Array.from(given).length >= minLength ? given : undefined),
    allowed: minLength > 1 ? `at least ${minLength} characters long` : 'a text',
  };
}

/** Path of a folder, made absolute; it need not exist. */
export function folder(): SettingKind<string> {
  return {
    parse: (given) => (given.includes('\0') ? undefined : resolve(given)),
    allowed: 'the path of a folder',
  };
}

/** Path of a file, made absolute. */
export function file(): SettingKind<string> {
  return {
    parse: (given) => (given.includes('\0') ? undefined : resolve(given)),
    allowed: 'the path of a file',
  };
}

/** An integer in decimal digits. */
export function integer(min: number, max: number): SettingKind<number> {
  return {
    parse: (given) => {
      const value = /^\d{1,15}$/.test(given.trim()) ? Number(given) : NaN;
      return value >= min && value <= max ? value : undefined;
    },
    allowed: `a whole number from ${min} to ${max}`,
  };
}

/** A number from 0 to 1. */
export function share(): SettingKind<number> {
  return {
    parse: (given) => (/^(?:0|1|0?\.\d{1,9}|1\.0+)$/.test(given.trim()) ? Number(given) : undefined),
    allowed: 'a number from 0 to 1, such as `0.01`',
  };
}

/** Request headers in OpenTelemetry's format: URL-encoded and separated by commas. */
export function headers(): SettingKind<Readonly<Record<string, string>>> {
  return {
    parse: (given) => {
      const headers: Record<string, string> = {};
      for (const pair of given.split(',').filter((each) => each.trim() !== '')) {
        const [, name, value = ''] = /^\s*([\w-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(pair) ?? [];
        if (name === undefined || !areDecodable(value)) return undefined;
        headers[name] = decodeURIComponent(value);
      }
      return headers;
    },
    allowed: 'a list such as `name=value,other=value`',
  };
}

/** A boolean. */
export function flag(): SettingKind<boolean> {
  const words: Record<string, boolean> = { true: true, false: false, 1: true, 0: false };
  return { parse: (given) => words[given.trim().toLowerCase()], allowed: '`true` or `false`' };
}

/** One word of a fixed set, case-insensitive. */
export function oneOf<const Word extends string>(words: readonly Word[]): SettingKind<Word> {
  return {
    parse: (given) => words.find((word) => word === given.trim().toLowerCase()),
    allowed: words
      .map((word) => `\`${word}\``)
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1'),
  };
}

/** An address or a name that a server can listen on. */
export function hostName(): SettingKind<string> {
  return {
    parse: (given) => {
      const host = given.trim().replace(/^\[(.*)\]$/, '$1');
      return isIP(host) || isFQDN(host, { require_tld: false }) ? host : undefined;
    },
    allowed: 'an IP address or a host name, without a port',
  };
}

/** Host names in lower case, separated by commas or spaces; a leading `*.` includes all names below one. */
export function hostNames(): SettingKind<readonly string[]> {
  return {
    parse: (given) => {
      const hosts = given.split(/[\s,]+/).filter((host) => host !== '');
      const names = hosts.map((host) => domainToASCII(host.replace(/^\*\.|\.$/g, '')));
      const areNames = names.every((name) => isFQDN(name, { require_tld: false, allow_underscores: true }));
      return areNames
        ? names.map((name, at) => (hosts[at]!.startsWith('*.') ? `*.${name}` : name))
        : undefined;
    },
    allowed:
      'host names without a port, such as `chat.example.com` or, for all names below one, `*.example.com`, separated by commas',
  };
}

/** A domain name, the part of an email address after the @. */
export function domainName(): SettingKind<string> {
  return {
    parse: (given) => (isFQDN(given.trim()) ? given.trim().toLowerCase() : undefined),
    allowed: 'a domain name such as `chat.example.com`',
  };
}

/** The name of a channel. */
export function channelName(): SettingKind<string> {
  return {
    parse: (given) => {
      const name = shownName(given);
      return name !== undefined && Array.from(name).length <= 60 ? name : undefined;
    },
    allowed: 'the name of a channel, of at most 60 characters, all of which are seen',
  };
}

/** A normalized name without invisible characters. */
export function visibleName(): SettingKind<string> {
  return { parse: shownName, allowed: 'a name of characters that are all seen' };
}

function shownName(given: string): string | undefined {
  const name = composedName(given);
  return name !== '' && forbiddenPlace(name) === 0 ? name : undefined;
}

/** An email address. */
export function emailAddress(): SettingKind<string> {
  return {
    parse: (given) => (isEmail(given.trim(), { require_tld: false }) ? given.trim() : undefined),
    allowed: 'an e-mail address',
  };
}

/** An email address with `%s` in place of the part that varies. */
export function addressPattern(): SettingKind<string> {
  return {
    parse: (given) => {
      const pattern = given.trim().toLowerCase();
      const [local = '', , ...more] = pattern.split('@');
      const isOne = local.split('%s').length === 2 && more.length === 0;
      return isOne && isEmail(pattern.replace('%s', 'x')) ? pattern : undefined;
    },
    allowed: 'an e-mail address with `%s` before the `@`, such as `%s@chat.example.com`',
  };
}

/** The URL of a site, without the trailing slash. */
export function siteUrl(): SettingKind<string> {
  return {
    parse: (given) => {
      const url = parseUrl(given, ['http:', 'https:']);
      const plain = url && !url.username && !url.password && !url.search && !url.hash && url.pathname === '/';
      return plain ? url.origin : undefined;
    },
    allowed: 'the `http://` or `https://` address of the server, without a path',
  };
}

/** The address of a database or another service, including its credentials. */
export function serviceUrl(...schemes: readonly string[]): SettingKind<string> {
  const protocols = schemes.map((scheme) => `${scheme}:`);
  return {
    parse: (given) => (parseUrl(given, protocols) ? given.trim() : undefined),
    allowed: `an address that begins with ${schemes.map((scheme) => `\`${scheme}://\``).join(' or ')}`,
  };
}

/** The address of a PostgreSQL database, on one server or on several, one of which accepts writes. */
export function postgresUrl(): SettingKind<string> {
  return {
    parse: (given) => (postgresAddresses(given.trim()) ? given.trim() : undefined),
    allowed:
      'an address that begins with `postgres://` or `postgresql://`, and does not ask for servers that only read',
  };
}

/** The address of a mail server, with credentials if it needs any. */
export function mailServerUrl(): SettingKind<string> {
  return {
    parse: (given) => {
      const url = parseUrl(given, ['smtp:', 'smtps:']);
      return url && url.hostname !== '' && areDecodable(url.username, url.password)
        ? given.trim()
        : undefined;
    },
    allowed: 'an address that begins with `smtp://` or `smtps://`, with the name of the mail server',
  };
}

/** The address of a bucket, including its credentials. */
export function bucketUrl(): SettingKind<string> {
  return {
    parse: (given) => (bucketAddress(given.trim()) ? given.trim() : undefined),
    allowed:
      'an address such as `s3://KEY_ID:SECRET@HOST/BUCKET/PREFIX?region=REGION`, or with `s3+http://` without TLS',
  };
}

/** IP addresses and networks, separated by commas or spaces. */
export function networks(): SettingKind<readonly string[]> {
  return {
    parse: (given) => {
      const parts = given.split(/[\s,]+/).filter((part) => part !== '');
      return parts.every(isNetwork) ? parts : undefined;
    },
    allowed: 'IP addresses or networks such as `10.0.0.0/8`, separated by commas',
  };
}

/** Folders and packages, separated by commas, without duplicates. */
export function modules(): SettingKind<readonly string[]> {
  return {
    parse: (given) => {
      const names = given.split(',').map((name) => name.trim());
      const found = names.filter((name) => name !== '');
      return new Set(found).size === found.length ? found : undefined;
    },
    allowed:
      'folders (`/srv/polls`) and packages (`@acme/parley-tickets`), separated by commas, each of them once',
  };
}

function parseUrl(given: string, protocols: readonly string[]): URL | null {
  const url = URL.canParse(given.trim()) ? new URL(given.trim()) : null;
  return url && protocols.includes(url.protocol) ? url : null;
}

function areDecodable(...texts: readonly string[]): boolean {
  try {
    texts.forEach(decodeURIComponent);
    return true;
  } catch {
    return false;
  }
}

function isNetwork(given: string): boolean {
  const [address = '', prefix, ...rest] = given.split('/');
  if (!isIP(address) || rest.length > 0) return false;
  if (prefix === undefined) return true;
  if (!/^\d{1,3}$/.test(prefix)) return false;
  try {
    new BlockList().addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4');
    return true;
  } catch {
    return false;
  }
}
