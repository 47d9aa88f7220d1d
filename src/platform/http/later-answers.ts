import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { sendError } from './api-error.filter';

interface LaterConfig {
  readonly answersLater?: boolean;
}

/**
 * For a handler that takes the reply by `@Res()` and returns the {@link LaterAnswer} made of it. It may end long before
 * its client is answered. Everything that ran for the request ends with it, so a waiting client costs little more than
 * its connection.
 */
export const AnswersLater = () => RouteConfig({ answersLater: true } satisfies LaterConfig);

/**
 * Makes Fastify and Nest release the requests of those routes once their handler has ended. Both would wait for the
 * answer: Fastify sends an empty one if a handler ends without it, and Nest awaits the reply, which settles like a
 * promise once it is sent. Each would retain everything created for the request, for as long as the client waits.
 */
export function registerLaterAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (!answersLater(route)) return;
    const { handler } = route;
    route.handler = function (request, reply) {
      Object.assign(reply, { then: undefined });
      (handler.call(this, request, reply) as Promise<unknown>).catch((error) => sendError(error, reply));
    };
  });
}

function answersLater({ config }: RouteOptions): boolean {
  const asked: LaterConfig = config ?? {};
  return asked.answersLater === true;
}
