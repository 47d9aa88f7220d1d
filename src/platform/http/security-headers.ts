import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isApi } from './paths';

/** On every answer of the server, whatever it is (spec, Companion administration interface). */
const ALWAYS = {
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};

/** On answers of both interfaces: they belong to one caller and one moment (reference A4). */
const API = {
  ...ALWAYS,
  'cache-control': 'max-age=0, no-cache, no-store, must-revalidate, private',
  expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
  vary: 'Accept-Language',
  'content-language': 'en',
};

/** For HTML that does not bring a policy of its own: nothing may be loaded, framed or sent. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Stay with TLS for a year, as browsers ask for. */
const TRANSPORT = { 'strict-transport-security': 'max-age=31536000' };

/** Headers of an answer, for those written where no hook runs. */
export function securityHeaders(
  url: string,
  requestId: string,
  throughTls: boolean,
): Readonly<Record<string, string>> {
  return {
    ...(isApi(url) ? API : ALWAYS),
    ...(throughTls ? TRANSPORT : {}),
    'x-request-id': requestId,
  };
}

/** Whether a request came through TLS, by what the proxy says where that one is trusted (`TRUSTED_PROXIES`). */
export function cameThroughTls({ protocol }: Pick<FastifyRequest, 'protocol'>): boolean {
  return (protocol as string).toLowerCase() === 'https';
}

/** Whether a connection is one of TLS; what the proxy says is not known where there is no request. */
export function isTlsConnection(socket: Socket): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true;
}

/**
 * Sets the headers before anything else happens, so that errors carry them too; handlers may overwrite them.
 * @param behindTls whether clients always reach the server through TLS, whatever a request says.
 */
export function registerSecurityHeaders(fastify: FastifyInstance, behindTls: boolean): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders(request.url, request.id, behindTls || cameThroughTls(request)));
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
