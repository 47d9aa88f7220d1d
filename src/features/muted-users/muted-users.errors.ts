import { ApiError } from '../../platform/errors/api-error';

/** Somebody mutes themselves (messages reference 10.2). */
export class CannotMuteSelf extends ApiError {
  constructor() {
    super('Cannot mute self');
  }
}

/** Somebody mutes a person again (messages reference 10.2). */
export class UserAlreadyMuted extends ApiError {
  constructor() {
    super('User already muted');
  }
}

/** Somebody unmutes a person whom they have not muted (messages reference 10.2). */
export class UserNotMuted extends ApiError {
  constructor() {
    super('User is not muted');
  }
}
