import { ApiError } from '../../platform/errors/api-error';

export class CannotMuteSelf extends ApiError {
  constructor() {
    super('Cannot mute self');
  }
}

export class UserAlreadyMuted extends ApiError {
  constructor() {
    super('User already muted');
  }
}

export class UserNotMuted extends ApiError {
  constructor() {
    super('User is not muted');
  }
}
