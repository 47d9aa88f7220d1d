import { BadRequest } from '../../../platform/errors/shared.errors';

/** A client reports itself as something else than active or idle. */
export class InvalidPresenceStatus extends BadRequest {
  constructor(status: string) {
    super(`Invalid status: ${status}`);
  }
}

/** The presence of a bot is asked for; only people have one. */
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
