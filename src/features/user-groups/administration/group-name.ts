import { GroupNameEmpty, GroupNamePrefixReserved, GroupNameTooLong } from '../groups/user-groups.errors';

/** Longest name of a group, in code points (groups reference 6.2). */
const MAX_GROUP_NAME_LENGTH = 100;

/** What mentions and narrows begin with, in the order in which names are tested. */
const RESERVED_PREFIXES = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/**
 * Checks the name of a group, which is stored exactly as sent (groups reference 6.2).
 * @throws GroupNameEmpty, GroupNameTooLong, GroupNamePrefixReserved
 */
export function checkGroupName(name: string): void {
  if (name.trim() === '') throw new GroupNameEmpty();
  if ([...name].length > MAX_GROUP_NAME_LENGTH) throw new GroupNameTooLong(MAX_GROUP_NAME_LENGTH);
  const prefix = RESERVED_PREFIXES.find((reserved) => name.startsWith(reserved));
  if (prefix !== undefined) throw new GroupNamePrefixReserved(prefix);
}
