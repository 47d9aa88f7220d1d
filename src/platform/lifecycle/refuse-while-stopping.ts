import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors/api-error';
import type { ShutdownSignal } from './shutdown-signal';

/** The server is stopping; another node, or this one after its restart, will answer. */
export class ServerIsStopping extends ApiError {
  constructor() {
    super('The server is stopping. Please try again in a moment.', {
      code: 'SERVER_STOPPING',
      status: 503,
      headers: { 'retry-after': '1' },
    });
  }
}

/**
 * While the server stops, connections end with the answer they are waiting for, and requests that still
 * come in over them are refused. Health checks are answered to the end.
 */
export function refuseWhileStopping(server: FastifyInstance, shutdown: ShutdownSignal): void {
  server.addHook('onRequest', (request, _reply, done) => {
    if (shutdown.isStopping && !request.url.startsWith('/health/')) done(new ServerIsStopping());
    else done();
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (shutdown.isStopping) reply.header('connection', 'close');
    done();
  });
}
