import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** The connection on which a request will be answered, for a handler that lets its client wait. */
export class ClientConnection {
  constructor(private readonly reply: FastifyReply) {}

  /** Whether the client has gone, so that an answer would reach no one. */
  get isClosed(): boolean {
    return this.reply.raw.destroyed;
  }

  /** Calls back once: when the client goes, or when it has its answer. */
  onClosed(listener: () => void): void {
    this.reply.raw.once('close', listener);
  }
}

/** The connection, as an argument of a handler. */
export const Connection = createParamDecorator(
  (_: unknown, context: ExecutionContext): ClientConnection =>
    new ClientConnection(context.switchToHttp().getResponse<FastifyReply>()),
);
