import { ApiError } from '../../../platform/errors/api-error';

/** A token or key for notifications is not what it should be; the sentence says which. */
export class InvalidRegistration extends ApiError {}

/** The caller has no such token registered. */
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
