import { ApiError } from '../errors/api-error';
import type { PageContent } from './web-page';

/** An error with its own page instead of a form. */
export class PageRefusal extends ApiError {
  constructor(
    readonly page: PageContent,
    status: number,
  ) {
    super(page.title, { status });
  }
}
