import { ChannelNameCharacterInvalid, ChannelNameEmpty, ChannelNameTooLong } from '../channels.errors';

/** Longest name of a channel, in code points. */
export const MAX_CHANNEL_NAME_LENGTH = 60;

/** Longest description of a channel, in code points. */
export const MAX_CHANNEL_DESCRIPTION_LENGTH = 1024;

/**
 * Trims and checks the name of a channel, also where an existing one is asked for.
 * @returns the trimmed name
 * @throws ChannelNameEmpty, ChannelNameTooLong, ChannelNameCharacterInvalid
 */
export function checkChannelName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new ChannelNameEmpty();
  const characters = [...trimmed];
  if (characters.length > MAX_CHANNEL_NAME_LENGTH) throw new ChannelNameTooLong(MAX_CHANNEL_NAME_LENGTH);
  const position = characters.findIndex(isForbiddenInNames) + 1;
  if (position > 0) throw new ChannelNameCharacterInvalid(position);
  return trimmed;
}

/** Control characters, lone surrogates and the code points that are defined to be no characters. */
export function isForbiddenInNames(character: string): boolean {
  return /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u.test(character);
}
