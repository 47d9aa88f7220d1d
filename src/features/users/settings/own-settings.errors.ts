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

/** A text that is no command, for want of a slash. */
export class CommandWithoutSlash extends ApiError {
  constructor() {
    super('There should be a leading slash in the zcommand.');
  }
}

/** There is no command of that name. */
export class NoSuchCommand extends ApiError {
  constructor(name: string) {
    super(`No such command: ${name}`);
  }
}
