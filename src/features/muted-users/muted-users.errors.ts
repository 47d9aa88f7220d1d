import { ApiError } from '../../platform/errors/api-error';

/** Somebody mutes themselves. */
export class CannotMuteSelf extends ApiError {
  constructor() {
    super('Cannot mute self');
  }
}

/** Somebody mutes a person again. */
export class UserAlreadyMuted extends ApiError {
  constructor() {
    super('User already muted');
  }
}

/** Somebody unmutes a person whom they have not muted. */
export class UserNotMuted extends ApiError {
  constructor() {
    super('User is not muted');
  }
}
