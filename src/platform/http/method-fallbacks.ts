import type { FastifyInstance } from 'fastify';
import { MethodNotAllowed, NotFound } from '../errors/request.errors';

/** Methods a route can have, in the order in which they are listed. */
const METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];

/**
 * Answers requests that no route takes, before authentication and before any body is read (reference
 * A4): OPTIONS of a known path tells its methods, any other method there is refused with 405, and an
 * unknown path is a 404.
 */
export function registerMethodFallbacks(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) {
      done();
      return;
    }
    const path = request.url.replace(/[?#].*$/s, '');
    const allowed = METHODS.filter((method) => fastify.findRoute({ method, url: path }) !== null);
    if (allowed.length === 0) {
      done(new NotFound());
    } else if (request.method === 'OPTIONS') {
      void reply.code(204).header('allow', allowed.join(', ')).send();
    } else {
      done(new MethodNotAllowed(allowed));
    }
  });
}
