/** Kinds of emoji; each has codes of its own (spec, Emoji reaction parameters). */
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
