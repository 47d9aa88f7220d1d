import { ApiError } from '../../../platform/errors/api-error';
import { STRONGER_PASSWORD } from '../../../platform/secrets/secrets.errors';

/** The current password that came with a new one is wrong. */
export class WrongPassword extends ApiError {
  constructor() {
    super('Wrong password!');
  }
}

/** The new password is too short or too easy to guess. */
export class NewPasswordTooWeak extends ApiError {
  constructor() {
    super('New password is too weak!', { advice: STRONGER_PASSWORD });
  }
}
