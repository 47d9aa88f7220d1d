import { composedName, forbiddenPlace } from '../../../platform/names/visible-name';
import { ChannelNameCharacterInvalid, ChannelNameEmpty, ChannelNameTooLong } from './channel-errors.api';

/** Longest name of a channel, in code points. */
export const MAX_CHANNEL_NAME_LENGTH = 60;

/** Longest description of a channel, in code points. */
export const MAX_CHANNEL_DESCRIPTION_LENGTH = 1024;

/**
 * Checks the name of a channel, also where an existing one is asked for.
 * @returns the name trimmed and composed
 * @throws ChannelNameEmpty, ChannelNameTooLong, ChannelNameCharacterInvalid
 */
export function checkChannelName(given: string): string {
  const name = composedName(given);
  if (name === '') throw new ChannelNameEmpty();
  if ([...name].length > MAX_CHANNEL_NAME_LENGTH) throw new ChannelNameTooLong(MAX_CHANNEL_NAME_LENGTH);
  const position = forbiddenPlace(name);
  if (position > 0) throw new ChannelNameCharacterInvalid(position);
  return name;
}
