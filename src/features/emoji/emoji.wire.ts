import type { CustomEmojiRecord } from './custom-emoji.entity';

/** Kinds of emoji; each has codes of its own. */
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

/** Where the picture is: a path that nobody can guess. */
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
