import type { CustomEmojiRecord } from './custom-emoji.entity';
import { PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import { ApiError, refusal } from '../../platform/errors/api-error';
import { BadRequest } from '../../platform/errors/shared.errors';

/** Kinds of emoji; each has its own codes. */
export const EmojiType = {
  /** The code contains the code points. */
  unicode: 'unicode_emoji',
  /** The code is the ID of an emoji of the organization. */
  custom: 'realm_emoji',
  /** The code is the name. */
  extra: 'zulip_extra_emoji',
} as const;

/** An emoji as referred to in the API. */
export interface EmojiReference {
  readonly name: string;
  readonly code: string;
  /** One of {@link EmojiType}, after validation. */
  readonly type: string;
}

/** A custom emoji as sent to clients. */
export interface CustomEmojiWire {
  readonly id: string;
  readonly name: string;
  /** Path on this server, like the next one. */
  readonly source_url: string;
  /** The first frame of an animation; null if it is not animated. */
  readonly still_url: string | null;
  readonly deactivated: boolean;
  readonly author_id: number | null;
}

/** Path prefix of the images; the number is the ID of the organization, of which there is only one. */
const PICTURE_PATH = '/user_avatars/1/emoji/images';

/** Names of the files with an emoji's images. */
export function pictureFiles({ fileKey, isAnimated }: Pick<CustomEmojiRecord, 'fileKey' | 'isAnimated'>): {
  readonly picture: string;
  readonly still: string | null;
} {
  return isAnimated
    ? { picture: `${fileKey}.gif`, still: `${fileKey}-still.png` }
    : { picture: `${fileKey}.png`, still: null };
}

/** An unguessable path to the image. */
export function pictureUrl(emoji: CustomEmojiRecord): string {
  return `${PICTURE_PATH}/${pictureFiles(emoji).picture}`;
}

/** Converts an emoji for clients. */
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

/** Emoji by ID. */
export function customEmojiById(emoji: readonly CustomEmojiRecord[]): Record<string, CustomEmojiWire> {
  return Object.fromEntries(emoji.map((each) => [each.id, customEmojiWire(each)]));
}

/** Emoji by ID, as part of a client's initial state. */
export function customEmojiState(emoji: Readonly<Record<string, CustomEmojiWire>>) {
  return { realm_emoji: emoji };
}

/** Parameters of adding and removing an emoji; the service has specific errors for invalid names. */
export class CustomEmojiDto {
  /** Name of the emoji, without colons. */
  @PathParameter(text({ unchecked: true })) emoji_name!: string;
}

/** The last segment of an image's URL. */
export class EmojiPictureDto {
  /** File name of the image. */
  @PathParameter(text({ unchecked: true })) file!: string;
}

type EmojiById = Readonly<Record<string, CustomEmojiWire>>;

/** The organization's custom emoji changed; the list is complete. */
const emojiUpdated = defineEvent<{ realm_emoji: EmojiById }>('realm_emoji', 'update');

/** An emoji was added; for clients that maintain the list themselves. */
const emojiAdded = defineEvent<{ emoji: CustomEmojiWire }>('realm_emoji', 'add');

/** An emoji changed; for clients that maintain the list themselves. */
const emojiChanged = defineEvent<{
  emoji_id: string;
  data: Partial<Pick<CustomEmojiWire, 'deactivated'>>;
}>('realm_emoji', 'update_one');

/** The capability of clients that receive an event per emoji. */
export const INDIVIDUAL_EMOJI_CHANGES = 'individual_emoji_changes';

/** A custom emoji was added. */
export function customEmojiAdded(emoji: CustomEmojiWire): ServerEvent {
  return emojiAdded({ emoji });
}

/** A custom emoji was deactivated. */
export function customEmojiDeactivated({ id, deactivated }: CustomEmojiWire): ServerEvent {
  return emojiChanged({ emoji_id: id, data: { deactivated } });
}

/** Custom emoji were added or deactivated; contains all of them, including deactivated ones. */
export function customEmojiChanged(emoji: EmojiById): ServerEvent {
  return emojiUpdated({ realm_emoji: emoji });
}

/** The error for a form without a file, or with several. */
export const ONE_EMOJI_FILE = 'You must upload exactly one file.';

/** No emoji has this name. */
export class EmojiUnknown extends BadRequest {
  constructor(name: string) {
    super(`Emoji '${name}' does not exist`);
  }
}

/** The organization has no emoji of this name to deactivate. */
export class CustomEmojiUnknown extends ApiError {
  constructor(name: string) {
    super(`Emoji '${name}' does not exist`, { status: 404 });
  }
}

/** The type is not one of the three. */
export class InvalidEmojiType extends refusal('Invalid emoji type.') {}

/** No emoji of this kind has the code. */
export class InvalidEmojiCode extends refusal('Invalid emoji code.') {}

/** The emoji with this code does not have this name. */
export class InvalidEmojiName extends refusal('Invalid emoji name.') {}

/** The organization has no emoji with this ID. */
export class InvalidCustomEmoji extends refusal('Invalid custom emoji.') {}

/** The organization's emoji with this ID has another name. */
export class InvalidCustomEmojiName extends refusal('Invalid custom emoji name.') {}

/** A reaction uses a deactivated custom emoji. */
export class CustomEmojiDeactivated extends refusal('This custom emoji has been deactivated.') {}

/** The name of a custom emoji is empty or white space. */
export class MissingEmojiName extends refusal('Emoji name is missing') {}

/** The name of a custom emoji ends with a dash or an underscore. */
export class EmojiNameEndsWrongly extends refusal('Emoji names must end with either a letter or digit.') {}

/** The name of a custom emoji contains a forbidden character. */
export class EmojiNameHoldsWrongCharacters extends refusal(
  'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
) {}

/** An active custom emoji has the name. */
export class EmojiNameTaken extends refusal('A custom emoji with this name already exists.') {}

/** A custom emoji is added without an image. */
export class MissingEmojiFile extends refusal(ONE_EMOJI_FILE) {}

/** The name belongs to a default emoji. */
export class MayNotOverrideEmoji extends refusal('Only administrators can override default emoji.') {}

/** Only administrators and the author may deactivate an emoji. */
export class MayNotRemoveEmoji extends refusal('Must be an organization administrator or emoji author') {}

/** The image does not exist. */
export class NoSuchEmojiPicture extends refusal('Page not found', {
  code: 'NOT_FOUND',
  status: 404,
  headers: { 'cache-control': 'no-store' },
}) {}
