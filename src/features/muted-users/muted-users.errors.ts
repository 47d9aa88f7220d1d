import { ApiError } from '../../platform/errors/api-error';

/** The caller tries to mute themselves. */
export class CannotMuteSelf extends ApiError {
  constructor() {
    super('Cannot mute self');
  }
}

/** The caller has muted the person already. */
export class UserAlreadyMuted extends ApiError {
  constructor() {
    super('User already muted');
  }
}

/** The caller has not muted the person. */
export class UserNotMuted extends ApiError {
  constructor() {
    super('User is not muted');
  }
}
