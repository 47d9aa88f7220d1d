import { ApiError } from '../errors/api-error';
import type { PageContent } from './web-page';

/** There is nothing to fill in: the page says why, with the status that fits. */
export class PageRefusal extends ApiError {
  constructor(
    readonly page: PageContent,
    status: number,
  ) {
    super(page.title, { status });
  }
}
