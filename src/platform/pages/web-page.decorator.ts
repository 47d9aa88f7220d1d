import { applyDecorators, Header, HttpCode, UseFilters } from '@nestjs/common';
import { PageErrorFilter } from './page-error.filter';
import { PAGE_HEADERS } from './web-page';

/**
 * A handler that answers with a page, made with `renderWebPage`, and whose refusals are pages as well.
 * @param headers in place of those that pages usually have
 */
export function WebPage(headers: Readonly<Record<string, string>> = {}): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ...Object.entries({ ...PAGE_HEADERS, ...headers }).map(([name, value]) => Header(name, value)),
    UseFilters(PageErrorFilter),
  );
}
