import type { FastifyInstance } from 'fastify';
import type { ShutdownSignal } from './shutdown-signal';

/**
 * While the server stops, a connection ends with the answer it is waiting for. Otherwise clients that keep
 * theirs open would hold up the stop, though they have everything they asked for.
 */
export function closeConnectionsWhileStopping(server: FastifyInstance, shutdown: ShutdownSignal): void {
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (shutdown.isStopping) reply.header('connection', 'close');
    done();
  });
}
