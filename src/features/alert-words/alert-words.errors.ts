import { ApiError } from '../../platform/errors/api-error';

/** A person wants to be alerted to too many words. */
export class TooManyAlertWords extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} alert words.`);
  }
}
