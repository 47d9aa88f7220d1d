import type { FastifyInstance } from 'fastify';
import { isApi } from './paths';
import type { Transport } from './transport';

/** On every answer of the server, whatever it is. */
const ALWAYS = {
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};

/** On answers of both interfaces: they belong to one caller and one moment. */
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
  isSecure: boolean,
): Readonly<Record<string, string>> {
  return {
    ...(isApi(url) ? API : ALWAYS),
    ...(isSecure ? TRANSPORT : {}),
    'x-request-id': requestId,
  };
}

/** Sets the headers before anything else happens, so that errors carry them too; handlers may overwrite them. */
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
