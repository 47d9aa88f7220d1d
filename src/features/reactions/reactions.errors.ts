import { ApiError } from '../../platform/errors/api-error';
import { BadRequest } from '../../platform/errors/shared.errors';

/** The caller has reacted with this emoji to this message before. */
export class ReactionAlreadyExists extends ApiError {
  constructor() {
    super('Reaction already exists.', { code: 'REACTION_ALREADY_EXISTS' });
  }
}

/** The caller has no such reaction to take back. */
export class ReactionDoesNotExist extends ApiError {
  constructor() {
    super("Reaction doesn't exist.", { code: 'REACTION_DOES_NOT_EXIST' });
  }
}

/** The caller, or everybody together, has reacted to this message as often as is allowed. */
export class TooManyReactions extends ApiError {
  constructor({ ofPerson, emoji, all }: Readonly<Record<'ofPerson' | 'emoji' | 'all', number>>) {
    super(
      `Too many reactions. A message takes up to ${ofPerson} from each person, ${emoji} different emoji and ${all} reactions in all.`,
    );
  }
}

/** Neither of the parameters that could say which reaction is meant. */
export class MissingEmoji extends BadRequest {
  constructor() {
    super('At least one of the following arguments must be present: emoji_name, emoji_code');
  }
}
