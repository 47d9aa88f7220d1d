import { ApiError } from '../../../platform/errors/api-error';

/** A token or key for notifications is malformed; the sentence says which. */
export class InvalidRegistration extends ApiError {}

/** The caller has not registered this token. */
export class NoSuchToken extends ApiError {
  constructor() {
    super('Token does not exist');
  }
}

/** The caller has no such device. */
export class NoSuchDevice extends ApiError {
  constructor() {
    super('Invalid `device_id`');
  }
}
