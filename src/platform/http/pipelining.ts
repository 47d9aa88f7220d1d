import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Requests that a client may send on one connection before it has the answer to the first. Browsers and common libraries
 * wait for each answer.
 */
const MOST_UNANSWERED = 16;

/**
 * Closes connections on which more requests arrive, whose answers would all have to be kept: Node reads thousands of them
 * at a time, and has no limit. A refusal would be one more answer that waits behind the others.
 */
export function limitPipelining(fastify: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>();
  fastify.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // Not going on leaves the request to the garbage collector.
    if (socket.destroyed) return;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > MOST_UNANSWERED) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, count);
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    done();
  });
}
