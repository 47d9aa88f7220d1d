import { ApiError } from '../../platform/errors/api-error';
import { BadRequest } from '../../platform/errors/shared.errors';

/** How a form with no file, or with several, is refused. */
export const ONE_EMOJI_FILE = 'You must upload exactly one file.';

/** No emoji has this name. */
export class EmojiUnknown extends BadRequest {
  constructor(name: string) {
    super(`Emoji '${name}' does not exist`);
  }
}

/** The organization has no emoji of this name to remove. */
export class CustomEmojiUnknown extends ApiError {
  constructor(name: string) {
    super(`Emoji '${name}' does not exist`, { status: 404 });
  }
}

/** The type is none of the three. */
export class InvalidEmojiType extends BadRequest {
  constructor() {
    super('Invalid emoji type.');
  }
}

/** No emoji of this kind has the code. */
export class InvalidEmojiCode extends BadRequest {
  constructor() {
    super('Invalid emoji code.');
  }
}

/** The name is not one of those that the code has. */
export class InvalidEmojiName extends BadRequest {
  constructor() {
    super('Invalid emoji name.');
  }
}

/** The organization has no emoji of this ID. */
export class InvalidCustomEmoji extends BadRequest {
  constructor() {
    super('Invalid custom emoji.');
  }
}

/** The organization's emoji of this ID has another name. */
export class InvalidCustomEmojiName extends BadRequest {
  constructor() {
    super('Invalid custom emoji name.');
  }
}

/** A reaction uses a custom emoji that was deleted. */
export class CustomEmojiDeactivated extends BadRequest {
  constructor() {
    super('This custom emoji has been deactivated.');
  }
}

/** Nothing is left of the name of a custom emoji without the space around it. */
export class MissingEmojiName extends BadRequest {
  constructor() {
    super('Emoji name is missing');
  }
}

/** The name of a custom emoji ends with a dash or an underscore. */
export class EmojiNameEndsWrongly extends BadRequest {
  constructor() {
    super('Emoji names must end with either a letter or digit.');
  }
}

/** The name of a custom emoji holds a character that such names may not hold. */
export class EmojiNameHoldsWrongCharacters extends BadRequest {
  constructor() {
    super(
      'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
    );
  }
}

/** A custom emoji in use has the name. */
export class EmojiNameTaken extends BadRequest {
  constructor() {
    super('A custom emoji with this name already exists.');
  }
}

/** A custom emoji is added without a picture. */
export class MissingEmojiFile extends BadRequest {
  constructor() {
    super(ONE_EMOJI_FILE);
  }
}

/** The name is that of an emoji which everybody knows. */
export class MayNotOverrideEmoji extends BadRequest {
  constructor() {
    super('Only administrators can override default emoji.');
  }
}

/** Removing an emoji is for administrators and for who made it. */
export class MayNotRemoveEmoji extends BadRequest {
  constructor() {
    super('Must be an organization administrator or emoji author');
  }
}

/** There is no such picture. */
export class NoSuchEmojiPicture extends ApiError {
  constructor() {
    super('Page not found', { code: 'NOT_FOUND', status: 404, headers: { 'cache-control': 'no-store' } });
  }
}
