import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import type { CustomEmojiWire } from './emoji.wire';

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
