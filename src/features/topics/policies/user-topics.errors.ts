import { ApiError } from '../../../platform/errors/api-error';

/** Neither ID nor name of the channel is given; unlike other absent parameters this has no code of its own. */
export class ChannelNotNamed extends ApiError {
  constructor() {
    super("Missing 'stream_id' argument");
  }
}

/** There is nothing to unmute: the channel does not exist, or is out of reach. */
export class TopicNotMuted extends ApiError {
  constructor() {
    super('Topic is not muted');
  }
}

/** The number is none of the visibility policies. */
export class InvalidVisibilityPolicy extends ApiError {
  constructor() {
    super('Invalid visibility_policy: Value error, Not in the list of possible values');
  }
}
