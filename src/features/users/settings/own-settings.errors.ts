import { ApiError } from '../../../platform/errors/api-error';

/** In this organization only administrators may change addresses. */
export class EmailChangesDisabled extends ApiError {
  constructor() {
    super('Email address changes are disabled in this organization.');
  }
}

/** A setting has a value that the server does not know; the sentence names both. */
export class InvalidSetting extends ApiError {}

/** An administrator means other people's settings; those of whoever asks are not to be changed in their place. */
export class OnlyOwnSettings extends ApiError {
  constructor() {
    super('Settings of other users cannot be changed; target_users is not supported.');
  }
}
