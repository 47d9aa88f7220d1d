import { ApiError } from '../../../platform/errors/api-error';
import { STRONGER_PASSWORD } from '../../../platform/secrets/secrets.errors';

/** The current password given with a new one is not right. */
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

/** The organization lets nobody but administrators change addresses. */
export class EmailChangesDisabled extends ApiError {
  constructor() {
    super('Email address changes are disabled in this organization.');
  }
}

/** The organization lets nobody but administrators change names. */
export class NameChangesDisabled extends ApiError {
  constructor() {
    super('Name changes are disabled in this organization.');
  }
}

/** A setting has a value that the server does not know; the sentence names both. */
export class InvalidSetting extends ApiError {}
