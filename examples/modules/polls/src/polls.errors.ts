import { ApiError } from 'parley/module';

/** There is no such poll, or the caller cannot read its message. */
export class NoSuchPoll extends ApiError {
  constructor() {
    super('Invalid poll ID');
  }
}

/** Somebody wants to close the poll of somebody else. */
export class NotYourPoll extends ApiError {
  constructor() {
    super('Only who opened a poll, and administrators, can close it.', { code: 'UNAUTHORIZED_PRINCIPAL' });
  }
}

/** What is asked for makes no poll. */
export class BadPoll extends ApiError {}
