import { applyDecorators, Header, HttpCode, UseFilters } from '@nestjs/common';
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
