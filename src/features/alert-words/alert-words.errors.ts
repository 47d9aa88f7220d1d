import { ApiError } from '../../platform/errors/api-error';

/** One person wants to be told of more words than anybody needs. */
export class TooManyAlertWords extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} alert words.`);
  }
}
