import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { isApi } from './doors/door';

/** The operator's settings for connections to the server. */
export interface TransportSettings {
  /** Addresses or networks whose `X-Forwarded-*` headers are trusted (`TRUSTED_PROXIES`). */
  readonly trustedProxies?: readonly string[];
  /** Whether clients always reach the server through TLS, whatever the request indicates. */
  readonly behindTls?: boolean;
}

/**
 * Decides which proxies are trusted, and which requests came through TLS. It works on Node's request, so that it can
 * also be used when Fastify refuses a request before creating its own object.
 */
export class Transport {
  private readonly proxies = new BlockList();
  private readonly behindTls: boolean;

  constructor({ trustedProxies = [], behindTls = false }: TransportSettings) {
    this.behindTls = behindTls;
    for (const network of trustedProxies) {
      const [address = '', prefix] = network.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      this.proxies.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
    }
  }

  /** Whether headers from this address are trusted; a closed connection has no address. */
  trusts(address: string | undefined): boolean {
    const [plain = ''] = (address ?? '').split('%'); // without the interface of a link-local address
    const version = isIP(plain);
    return version !== 0 && this.proxies.check(plain, version === 6 ? 'ipv6' : 'ipv4');
  }

  /** Whether a request came through TLS; a trusted proxy's statement takes precedence over its connection. */
  isSecureRequest({ headers, socket }: IncomingMessage): boolean {
    const said = headers['x-forwarded-proto'];
    if (said === undefined || !this.trusts(socket.remoteAddress)) return this.isSecureConnection(socket);
    const nearest = String(said).split(',').at(-1) as string;
    return this.behindTls || nearest.trim().toLowerCase() === 'https';
  }

  /** The same for a connection whose request could not be read. */
  isSecureConnection(socket: Socket): boolean {
    return this.behindTls || (socket as Partial<TLSSocket>).encrypted === true;
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    transport: Transport;
  }
}

/** For every answer of the server. */
const ALWAYS = {
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};

/** For answers of both interfaces: each is for one caller and one moment. */
const API = {
  ...ALWAYS,
  'cache-control': 'max-age=0, no-cache, no-store, must-revalidate, private',
  expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
  vary: 'Accept-Language',
  'content-language': 'en',
};

/** For HTML without its own policy: it must not load, frame or send anything. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Tells browsers to require TLS for a year. */
const TRANSPORT = { 'strict-transport-security': 'max-age=31536000' };

/** Headers for answers that are written where no hook runs. */
export function securityHeaders(
  url: string,
  requestId: string,
  isSecure: boolean,
): Readonly<Record<string, string>> {
  return {
    ...(isApi(url) ? API : ALWAYS),
    ...(isSecure ? TRANSPORT : {}),
    'x-request-id': requestId,
  };
}

/** Sets the headers before anything else happens, so that errors have them too; handlers may override them. */
export function registerSecurityHeaders(fastify: FastifyInstance, transport: Transport): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders(request.url, request.id, transport.isSecureRequest(request.raw)));
    done();
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    const type = reply.getHeader('content-type');
    if (typeof type === 'string' && type.startsWith('text/html') && !reply.hasHeader(CSP)) {
      reply.header(CSP, CONTENT_SECURITY_POLICY);
    }
    done(null, payload);
  });
}

const CSP = 'content-security-policy';
