import { ApiError } from '../errors/api-error';

/** The chosen password is too short or too easy to guess. */
export class WeakPassword extends ApiError {
  constructor() {
    super('The password is too weak.');
  }
}

/** More password work is waiting than the server can do soon. */
export class TooManyPasswordChecks extends ApiError {
  constructor() {
    super('The server is busy. Please try again in a moment.', {
      code: 'SERVER_BUSY',
      status: 503,
      headers: { 'retry-after': '1' },
    });
  }
}
