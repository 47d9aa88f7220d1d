/** A bucket of an S3-compatible service, and the credentials for it. */
export interface BucketAddress {
  /** URL with the bucket as the first part of the path, which every such service supports. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Prefix of all object names: empty, or ending with `/`. */
  readonly prefix: string;
}

const PROTOCOLS: Readonly<Record<string, string>> = { 's3:': 'https:', 's3+http:': 'http:' };
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[\w-][\w.-]*\/)*$/;
const REGION = /^[a-z0-9-]{1,40}$/;

/**
 * Parses `s3://KEY_ID:SECRET@HOST/BUCKET/PREFIX?region=REGION`, or the same with `s3+http://` for a service without
 * TLS.
 * @returns undefined if the address is invalid
 */
export function bucketAddress(text: string): BucketAddress | undefined {
  const protocol = PROTOCOLS[/^[a-z0-9+]+:/.exec(text)?.[0] ?? ''];
  // The URL parser applies its rules for user, host and port only to web schemes.
  const plain = text.replace(/^[a-z0-9+]+:/, protocol ?? '');
  if (protocol === undefined || !URL.canParse(plain)) return undefined;
  const url = new URL(plain);
  if (url.hash !== '') return undefined;
  const [, bucket = '', ...rest] = url.pathname.split('/');
  const parts = rest.filter((part) => part !== '');
  const prefix = parts.map((part) => `${part}/`).join('');
  const { region = 'us-east-1', ...unknown } = Object.fromEntries(url.searchParams);
  const credentials = [url.username, url.password].map(decoded);
  const [accessKeyId, secretAccessKey] = credentials;
  if (!accessKeyId || !secretAccessKey || Object.keys(unknown).length > 0) return undefined;
  if (!BUCKET.test(bucket) || !PREFIX.test(prefix) || !REGION.test(region)) return undefined;
  return { endpoint: `${url.origin}/${bucket}`, region, accessKeyId, secretAccessKey, prefix };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

/** Accepted values of `target_session_attrs`, for addresses with several servers. The server has to write. */
const WRITABLE = new Set(['any', 'read-write', 'primary']);

const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)((?:\/[^?#]*)?)(?:\?([^#]*))?$/;
const HOST = /^(\[[\da-fA-F:.]+\]|[^\s:[\]]*)(:\d{1,5})?$/;

/**
 * The address of each server in an address of the form that PostgreSQL's own clients use:
 * `postgres://user:password@one,two:5433/database?target_session_attrs=read-write`.
 * @returns null if it is invalid, or asks for read-only servers
 */
export function postgresAddresses(given: string): readonly string[] | null {
  const [, begin, hosts = '', database, query] = ADDRESS.exec(given) ?? [];
  if (begin === undefined) return null;
  const parameters = new URLSearchParams(query);
  if (!WRITABLE.has(parameters.get('target_session_attrs') ?? 'any')) return null;
  parameters.delete('target_session_attrs');
  const end = `${database}${parameters.size > 0 ? `?${parameters.toString()}` : ''}`;
  const all = hosts.split(',');
  if (!all.every((host) => HOST.test(host))) return null;
  const addresses = all.map((host) => `${begin}${host}${end}`);
  return addresses.every((address) => URL.canParse(address)) ? addresses : null;
}
