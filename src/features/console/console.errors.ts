import { ApiError } from '../../platform/errors/api-error';

/** There is no such file, the console was not built, or the operator has switched it off. */
export class NoSuchConsoleFile extends ApiError {
  constructor() {
    super('There is no such page.', { status: 404 });
  }
}
