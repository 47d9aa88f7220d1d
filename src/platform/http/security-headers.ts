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

/** Headers of an answer, for those written where no hook runs. */
export function securityHeaders(url: string, requestId: string): Readonly<Record<string, string>> {
  return { ...(isApi(url) ? API : ALWAYS), 'x-request-id': requestId };
}

/** Sets the headers before anything else happens, so that errors carry them too; handlers may overwrite them. */
export function registerSecurityHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(isApi(request.url) ? API : ALWAYS).header('x-request-id', request.id);
    done();
  });
}
