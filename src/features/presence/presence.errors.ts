import { BadRequest } from '../../platform/errors/shared.errors';

export class InvalidPresenceStatus extends BadRequest {
  constructor(status: string) {
    super(`Invalid status: ${status}`);
  }
}

export class NoPresenceOfBots extends BadRequest {
  constructor() {
    super('Presence is not supported for bot users.');
  }
}

/** The person never was there, or does not want others to know. */
export class NoPresenceData extends BadRequest {
  /** @param asked as the caller named the person */
  constructor(asked: string) {
    super(`No presence data for ${asked}`);
  }
}
