import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';

/** Longer paths are cut: they belong to nobody's interface. */
const PATH_LENGTH = 300;

/**
 * One line for each request once it is answered, in place of the two of Fastify. It names who asked for
 * what and how that went; query strings, bodies and headers are never logged.
 */
export class AccessLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' });
  }

  override incomingRequest(): void {
    // The line is written when the answer is known.
  }

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?', 1)[0]?.slice(0, PATH_LENGTH),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
        userId: request.actor?.userId,
        ...(error && { err: error }),
      },
      'request',
    );
  }

  override routeNotFound(): void {
    // The status of the line says it.
  }
}
