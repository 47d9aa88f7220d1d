import { codePointLength } from '../../../platform/http/parameters/text';
import { composedName, forbiddenPlace } from '../../../platform/names/visible-name';
import {
  DefaultChannelGroupNameBlank,
  DefaultChannelGroupNameCharacterInvalid,
  DefaultChannelGroupNameHasNull,
  DefaultChannelGroupNameTooLong,
  MAX_DEFAULT_GROUP_NAME_LENGTH,
} from './default-channel-groups.api';

/**
 * Checks the name of a group.
 * @returns the name trimmed and composed
 * @throws DefaultChannelGroupNameBlank, DefaultChannelGroupNameTooLong, DefaultChannelGroupNameHasNull,
 *   DefaultChannelGroupNameCharacterInvalid
 */
export function checkGroupName(given: string): string {
  const name = composedName(given);
  if (name === '') throw new DefaultChannelGroupNameBlank(given);
  if (codePointLength(name) > MAX_DEFAULT_GROUP_NAME_LENGTH)
    throw new DefaultChannelGroupNameTooLong(MAX_DEFAULT_GROUP_NAME_LENGTH);
  if (name.includes('\0')) throw new DefaultChannelGroupNameHasNull(name);
  const position = forbiddenPlace(name);
  if (position > 0) throw new DefaultChannelGroupNameCharacterInvalid(position);
  return name;
}
