import type { CustomEmojiRecord } from './custom-emoji.entity';
import { PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import { ApiError, refusal } from '../../platform/errors/api-error';
import { BadRequest } from '../../platform/errors/shared.errors';

/** Kinds of emoji; each has its own codes. */
export const EmojiType = {
  /** The code says the code points. */
  unicode: 'unicode_emoji',
  /** The code is the ID of an emoji of the organization. */
  custom: 'realm_emoji',
  /** The code is the name. */
  extra: 'zulip_extra_emoji',
} as const;

/** An emoji as the interface refers to it. */
export interface EmojiReference {
  readonly name: string;
  readonly code: string;
  /** One of {@link EmojiType}, once it was checked. */
  readonly type: string;
}

/** An emoji of the organization as the interface shows it. */
export interface CustomEmojiWire {
  readonly id: string;
  readonly name: string;
  /** Path on this server, as the next. */
  readonly source_url: string;
  /** The first frame of an animation; null where nothing moves. */
  readonly still_url: string | null;
  readonly deactivated: boolean;
  readonly author_id: number | null;
}

/** Under this path lie the pictures; the number is the organization's, of which there is one. */
const PICTURE_PATH = '/user_avatars/1/emoji/images';

/** Names of the files with an emoji's pictures. */
export function pictureFiles({ fileKey, isAnimated }: Pick<CustomEmojiRecord, 'fileKey' | 'isAnimated'>): {
  readonly picture: string;
  readonly still: string | null;
} {
  return isAnimated
    ? { picture: `${fileKey}.gif`, still: `${fileKey}-still.png` }
    : { picture: `${fileKey}.png`, still: null };
}

/** An unguessable path to the picture. */
export function pictureUrl(emoji: CustomEmojiRecord): string {
  return `${PICTURE_PATH}/${pictureFiles(emoji).picture}`;
}

/** An emoji as clients are told of it. */
export function customEmojiWire(emoji: CustomEmojiRecord): CustomEmojiWire {
  const { still } = pictureFiles(emoji);
  return {
    id: String(emoji.id),
    name: emoji.name,
    source_url: pictureUrl(emoji),
    still_url: still === null ? null : `${PICTURE_PATH}/${still}`,
    deactivated: emoji.isDeactivated,
    author_id: emoji.authorId,
  };
}

/** Emoji by their IDs. */
export function customEmojiById(emoji: readonly CustomEmojiRecord[]): Record<string, CustomEmojiWire> {
  return Object.fromEntries(emoji.map((each) => [each.id, customEmojiWire(each)]));
}

/** The same among everything that a client gets when it registers. */
export function customEmojiState(emoji: Readonly<Record<string, CustomEmojiWire>>) {
  return { realm_emoji: emoji };
}

/** Parameters of adding and removing an emoji; the service has its own errors for invalid names. */
export class CustomEmojiDto {
  /** Name of the emoji, without colons. */
  @PathParameter(text({ unchecked: true })) emoji_name!: string;
}

/** The last part of a picture's address. */
export class EmojiPictureDto {
  /** Name of the picture. */
  @PathParameter(text({ unchecked: true })) file!: string;
}

type EmojiById = Readonly<Record<string, CustomEmojiWire>>;

/** The organization's own emoji changed; the list is complete. */
const emojiUpdated = defineEvent<{ realm_emoji: EmojiById }>('realm_emoji', 'update');

/** An emoji came into use; for clients that keep the list themselves. */
const emojiAdded = defineEvent<{ emoji: CustomEmojiWire }>('realm_emoji', 'add');

/** One of the emoji changed, for the same clients. */
const emojiChanged = defineEvent<{
  emoji_id: string;
  data: Partial<Pick<CustomEmojiWire, 'deactivated'>>;
}>('realm_emoji', 'update_one');

/** Clients that declare this are told of each emoji alone. */
export const INDIVIDUAL_EMOJI_CHANGES = 'individual_emoji_changes';

/** An emoji of the organization came. */
export function customEmojiAdded(emoji: CustomEmojiWire): ServerEvent {
  return emojiAdded({ emoji });
}

/** An emoji of the organization is out of use. */
export function customEmojiDeactivated({ id, deactivated }: CustomEmojiWire): ServerEvent {
  return emojiChanged({ emoji_id: id, data: { deactivated } });
}

/** Emoji of the organization came or went: what there is now, deactivated ones included. */
export function customEmojiChanged(emoji: EmojiById): ServerEvent {
  return emojiUpdated({ realm_emoji: emoji });
}

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
export class InvalidEmojiType extends refusal('Invalid emoji type.') {}

/** No emoji of this kind has the code. */
export class InvalidEmojiCode extends refusal('Invalid emoji code.') {}

/** The name is not one of those that the code has. */
export class InvalidEmojiName extends refusal('Invalid emoji name.') {}

/** The organization has no emoji of this ID. */
export class InvalidCustomEmoji extends refusal('Invalid custom emoji.') {}

/** The organization's emoji of this ID has another name. */
export class InvalidCustomEmojiName extends refusal('Invalid custom emoji name.') {}

/** A reaction uses a custom emoji that was deleted. */
export class CustomEmojiDeactivated extends refusal('This custom emoji has been deactivated.') {}

/** Nothing is left of the name of a custom emoji without the space around it. */
export class MissingEmojiName extends refusal('Emoji name is missing') {}

/** The name of a custom emoji ends with a dash or an underscore. */
export class EmojiNameEndsWrongly extends refusal('Emoji names must end with either a letter or digit.') {}

/** The name of a custom emoji holds a character that such names may not hold. */
export class EmojiNameHoldsWrongCharacters extends refusal(
  'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
) {}

/** A custom emoji in use has the name. */
export class EmojiNameTaken extends refusal('A custom emoji with this name already exists.') {}

/** A custom emoji is added without a picture. */
export class MissingEmojiFile extends refusal(ONE_EMOJI_FILE) {}

/** The name is that of an emoji which everybody knows. */
export class MayNotOverrideEmoji extends refusal('Only administrators can override default emoji.') {}

/** Removing an emoji is for administrators and for who made it. */
export class MayNotRemoveEmoji extends refusal('Must be an organization administrator or emoji author') {}

/** There is no such picture. */
export class NoSuchEmojiPicture extends refusal('Page not found', {
  code: 'NOT_FOUND',
  status: 404,
  headers: { 'cache-control': 'no-store' },
}) {}
