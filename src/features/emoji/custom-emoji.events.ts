import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import type { CustomEmojiWire } from './emoji.wire';

type EmojiById = Readonly<Record<string, CustomEmojiWire>>;

/** The organization's own emoji changed; the list is complete. */
const emojiUpdated = defineEvent<{ realm_emoji: EmojiById }>('realm_emoji', 'update');

/** Emoji of the organization came or went: what there is now, deactivated ones included. */
export function customEmojiChanged(emoji: EmojiById): ServerEvent {
  return emojiUpdated({ realm_emoji: emoji });
}
