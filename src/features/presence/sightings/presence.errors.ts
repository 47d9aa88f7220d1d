import { BadRequest } from '../../../platform/errors/shared.errors';

/** A client reports a status other than active or idle. */
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

/** The person was never online, or does not share it. */
export class NoPresenceData extends BadRequest {
  /** @param asked as the caller named the person */
  constructor(asked: string) {
    super(`No presence data for ${asked}`);
  }
}
