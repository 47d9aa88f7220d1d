import {
  createParamDecorator,
  type ExecutionContext,
  applyDecorators,
  Header,
  HttpCode,
  UseFilters,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { sentParameters } from '../http/body/sent-parameters';
import { PageErrorFilter } from './page-error.filter';
import { PAGE_HEADERS } from './web-page';

/**
 * Marks a handler that returns a page from `renderWebPage`; its errors are rendered as pages too.
 * @param headers override the default headers
 */
export function WebPage(headers: Readonly<Record<string, string>> = {}): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ...Object.entries({ ...PAGE_HEADERS, ...headers }).map(([name, value]) => Header(name, value)),
    UseFilters(PageErrorFilter),
  );
}

/** Injects all form fields by name, for forms whose field names depend on data. */
export const SentFields = createParamDecorator((_: unknown, context: ExecutionContext) =>
  sentParameters(context.switchToHttp().getRequest<FastifyRequest>()),
);
