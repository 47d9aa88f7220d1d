import { codePointLength } from '../../../platform/http/parameters/text';
import { composedName, forbiddenPlace } from '../../../platform/names/visible-name';
import {
  DefaultChannelGroupNameBlank,
  DefaultChannelGroupNameCharacterInvalid,
  DefaultChannelGroupNameHasNull,
  DefaultChannelGroupNameTooLong,
} from './default-channel-groups.api';

const MAX_NAME_LENGTH = 60;

/**
 * Checks the name of a group.
 * @returns the name trimmed and composed
 * @throws DefaultChannelGroupNameBlank, DefaultChannelGroupNameTooLong, DefaultChannelGroupNameHasNull,
 *   DefaultChannelGroupNameCharacterInvalid
 */
export function checkGroupName(given: string): string {
  const name = composedName(given);
  if (name === '') throw new DefaultChannelGroupNameBlank(given);
  if (codePointLength(name) > MAX_NAME_LENGTH) throw new DefaultChannelGroupNameTooLong(MAX_NAME_LENGTH);
  if (name.includes('\0')) throw new DefaultChannelGroupNameHasNull(name);
  const position = forbiddenPlace(name);
  if (position > 0) throw new DefaultChannelGroupNameCharacterInvalid(position);
  return name;
}
