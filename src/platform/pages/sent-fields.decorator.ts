import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { sentParameters } from '../http/body/sent-parameters';

/** All fields of a form by name, as an argument of a handler: for those whose names follow from what there is. */
export const SentFields = createParamDecorator((_: unknown, context: ExecutionContext) =>
  sentParameters(context.switchToHttp().getRequest<FastifyRequest>()),
);
