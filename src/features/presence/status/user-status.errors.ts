import { BadRequest } from '../../../platform/errors/shared.errors';

/** A status is updated without a text, an emoji or whether the person is away. */
export class NoNewStatus extends BadRequest {
  constructor() {
    super('Client did not pass any new values.');
  }
}

/** A code or type of an emoji says nothing without its name. */
export class MissingStatusEmojiName extends BadRequest {
  constructor() {
    super('Client must pass emoji_name if they pass either emoji_code or reaction_type.');
  }
}
