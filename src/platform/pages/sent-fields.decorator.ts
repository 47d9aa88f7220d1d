import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { sentParameters } from '../http/body/sent-parameters';

/** Injects all form fields by name, for forms whose field names depend on data. */
export const SentFields = createParamDecorator((_: unknown, context: ExecutionContext) =>
  sentParameters(context.switchToHttp().getRequest<FastifyRequest>()),
);
