import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** Makes IDs for requests: unique across nodes and restarts, short, and rising within a process. */
export function requestIds(): () => string {
  const process = randomBytes(5).toString('hex');
  let count = 0;
  return () => `${process}-${(++count).toString(36)}`;
}

/** Tells callers the ID of their request, so that they can quote it and the log can be searched for it. */
export function announceRequestIds(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
}
