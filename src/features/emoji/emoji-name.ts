import { codeOf, EXTRA_EMOJI } from '../../platform/emoji/emoji';
import { EmojiNameEndsWrongly, EmojiNameHoldsWrongCharacters, MissingEmojiName } from './emoji.api';

/**
 * The name that a new emoji gets: blanks around it are dropped, and those inside become `_`.
 * @throws MissingEmojiName, EmojiNameEndsWrongly, EmojiNameHoldsWrongCharacters
 */
export function newEmojiName(asked: string): string {
  const name = asked.trim().replaceAll(' ', '_');
  if (name === '') throw new MissingEmojiName();
  if (!/^[a-z0-9_-]+$/.test(name)) throw new EmojiNameHoldsWrongCharacters();
  if (!/[a-z0-9]$/.test(name)) throw new EmojiNameEndsWrongly();
  return name;
}

/** Whether the name means something already, in every organization. */
export function isDefaultEmoji(name: string): boolean {
  return name === EXTRA_EMOJI.name || codeOf(name) !== undefined;
}
