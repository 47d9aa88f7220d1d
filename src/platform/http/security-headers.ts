import type { FastifyInstance } from 'fastify';
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

/** A year, as browsers ask for. */
const TRANSPORT_SECURITY = 'max-age=31536000';

/** Headers of an answer, for those written where no hook runs. */
export function securityHeaders(url: string, requestId: string): Readonly<Record<string, string>> {
  return { ...(isApi(url) ? API : ALWAYS), 'x-request-id': requestId };
}

/**
 * Sets the headers before anything else happens, so that errors carry them too; handlers may overwrite them.
 * @param behindTls whether clients reach the server through TLS.
 */
export function registerSecurityHeaders(fastify: FastifyInstance, behindTls: boolean): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(isApi(request.url) ? API : ALWAYS).header('x-request-id', request.id);
    if (behindTls) {
      reply.header('strict-transport-security', TRANSPORT_SECURITY);
    }
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
