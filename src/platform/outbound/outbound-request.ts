import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressRules } from './address-rules';

/** A request to a URL given by a user, not by the operator. */
export interface OutboundRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** For the whole exchange, including redirects and the response body. */
  readonly timeoutMs: number;
  /** Maximum size of a response body. */
  readonly maxBytes: number;
  /** Maximum number of redirects to follow; three if omitted. With 0, a redirect is returned as the answer. */
  readonly maxRedirects?: number;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** The other server's response. */
export interface OutboundAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** A request of a library to a URL from outside. */
export interface LibraryRequest extends Omit<OutboundRequest, 'maxRedirects'> {
  readonly method: 'GET' | 'POST';
}

/** Why there was no response. */
export class OutboundFailure extends Error {
  /** @param isFinal whether the same request would fail again */
  constructor(
    message: string,
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}

/** Resolves a host name to all its addresses. */
export type Resolver = (
  hostName: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const resolveWithSystem: Resolver = (hostName, options, callback) =>
  systemLookup(hostName, { ...options, all: true }, callback);

const MAX_REDIRECTS = 3;

/** Redirects that preserve method and body. The others change the request. */
const SAME_REQUEST = [307, 308];

const PROTOCOLS = ['http:', 'https:'];

const REDIRECTS = [301, 302, 303, ...SAME_REQUEST];

/** A file to download. */
export interface DownloadRequest {
  readonly url: string;
  /** Whether a host may be contacted; checked for redirects too. */
  readonly isAllowedHost: (url: URL) => boolean;
  /** For the whole exchange. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Response to a download. */
export interface DownloadAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Seconds to wait before the next attempt; null if the server does not say. */
  readonly retryAfter: number | null;
}

/**
 * Posts to a URL, following redirects that preserve the request. The rules are applied to the actual address of the
 * connection, so neither redirects nor names that resolve differently a moment later can evade them.
 * @throws OutboundFailure
 */
export async function post(
  request: OutboundRequest,
  rules: AddressRules,
  resolve: Resolver = resolveWithSystem,
): Promise<OutboundAnswer> {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const { maxRedirects = MAX_REDIRECTS } = request;
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  try {
    let url = checkedUrl(request.url);
    for (let redirects = 0; ; redirects++) {
      const response = await send(url, { ...request, method: 'POST' }, signal, rules, resolve);
      const { statusCode = 0, headers } = response;
      const isRedirect = SAME_REQUEST.includes(statusCode) && headers.location !== undefined;
      if (!isRedirect || maxRedirects === 0) {
        return { status: statusCode, body: await readBody(response, request.maxBytes) };
      }
      response.destroy();
      if (redirects === maxRedirects) throw new OutboundFailure('too many redirects', true);
      url = checkedUrl(headers.location!, url);
    }
  } catch (error) {
    if (timeout.aborted) {
      throw new OutboundFailure(`no response within ${request.timeoutMs / 1000} seconds`, false);
    }
    throw asFailure(error);
  }
}

/**
 * Sends a request without following redirects, with the same protection as {@link post}.
 * @throws OutboundFailure
 */
export async function exchange(
  request: LibraryRequest,
  rules: AddressRules,
  resolve: Resolver = resolveWithSystem,
): Promise<OutboundAnswer & { readonly headers: Record<string, string> }> {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  try {
    const response = await send(checkedUrl(request.url), request, signal, rules, resolve);
    const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
    const body = await readBody(response, request.maxBytes);
    return { status: response.statusCode ?? 0, body, headers: Object.fromEntries(headers) };
  } catch (error) {
    if (request.signal?.aborted) throw error;
    if (timeout.aborted)
      throw new OutboundFailure(`no response within ${request.timeoutMs / 1000} seconds`, false);
    throw asFailure(error);
  }
}

/**
 * Downloads a file, following redirects, with the same protection as {@link post}. Streams the body of a 200 response
 * to the receiver, which must limit its size.
 * @throws OutboundFailure
 */
export async function download(
  request: DownloadRequest,
  rules: AddressRules,
  receive: (body: AsyncIterable<Buffer>, contentType: string) => Promise<void>,
  resolve: Resolver = resolveWithSystem,
): Promise<DownloadAnswer> {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  try {
    let url = checkedUrl(request.url);
    for (let redirects = 0; ; redirects++) {
      if (!request.isAllowedHost(url))
        throw new OutboundFailure('the host is not one that may be asked', true);
      const response = await send(url, { method: 'GET', headers: {}, body: '' }, signal, rules, resolve);
      const { statusCode = 0, headers } = response;
      if (!REDIRECTS.includes(statusCode) || headers.location === undefined) {
        const contentType = headers['content-type'] ?? '';
        try {
          if (statusCode === 200) await receive(response as AsyncIterable<Buffer>, contentType);
        } finally {
          response.destroy();
        }
        const seconds = Number(headers['retry-after']);
        return { status: statusCode, contentType, retryAfter: Number.isFinite(seconds) ? seconds : null };
      }
      response.destroy();
      if (redirects === MAX_REDIRECTS) throw new OutboundFailure('too many redirects', true);
      url = checkedUrl(headers.location, url);
    }
  } catch (error) {
    if (timeout.aborted)
      throw new OutboundFailure(`no response within ${request.timeoutMs / 1000} seconds`, false);
    throw asFailure(error);
  }
}

function checkedUrl(given: string, base?: URL): URL {
  const url = URL.canParse(given, base?.href) ? new URL(given, base) : null;
  if (!url || !PROTOCOLS.includes(url.protocol)) throw new OutboundFailure('invalid URL', true);
  return url;
}

function send(
  url: URL,
  { method, headers, body }: Pick<OutboundRequest, 'headers' | 'body'> & { readonly method: 'GET' | 'POST' },
  signal: AbortSignal,
  rules: AddressRules,
  resolve: Resolver,
): Promise<IncomingMessage> {
  // Names are checked when they are resolved; an address is never resolved.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !rules.allows(host)) throw new ForbiddenAddress();
  const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((answered, failed) => {
    const lookup = checkedLookup(rules, resolve);
    const length = method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { method, headers: { ...headers, ...length }, signal };
    // Connections are not reused: another request might get one that the rules no longer allow.
    const sent = open(url, { ...options, lookup, agent: false }, answered);
    sent.on('error', failed);
    sent.end(body);
  });
}

/** A lookup that filters out forbidden addresses. The connection uses one of those that remain. */
function checkedLookup(rules: AddressRules, resolve: Resolver): LookupFunction {
  return (hostName, options, callback) => {
    resolve(hostName, options, (error, addresses) => {
      if (error) return callback(error, []);
      const allowed = addresses.filter(({ address }) => rules.allows(address));
      const [first] = allowed;
      if (!first) return callback(new ForbiddenAddress(), []);
      return options.all ? callback(null, allowed) : callback(null, first.address, first.family);
    });
  };
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > maxBytes) throw new OutboundFailure(`response larger than ${maxBytes} bytes`, true);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The rules forbid requests to the address. */
export class ForbiddenAddress extends OutboundFailure {
  constructor() {
    super('the address is in a private network, which this server blocks', true);
  }
}

function asFailure(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return new OutboundFailure(`connection failed (${code})`, false);
}
