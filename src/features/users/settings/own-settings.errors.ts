import { ApiError } from '../../../platform/errors/api-error';

/** In this organization only administrators may change addresses. */
export class EmailChangesDisabled extends ApiError {
  constructor() {
    super('Email address changes are disabled in this organization.');
  }
}

/** A setting has a value that the server does not know; the sentence names both. */
export class InvalidSetting extends ApiError {}

/** An administrator wants to change what is for everybody to decide alone. */
export class OnlyOwnSetting extends ApiError {
  constructor() {
    super('Cannot change this setting for other users.');
  }
}

/** Other people's settings are meant, and nobody is named. */
export class NobodyTargeted extends ApiError {
  constructor() {
    super('Either user_ids or group_ids must be provided.');
  }
}

/** Among the people whose settings are meant is one who does not exist. */
export class UnknownTarget extends ApiError {
  constructor(userId: number) {
    super(`Invalid user ID: ${userId}`);
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
