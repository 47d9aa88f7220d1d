import { Flag, isFlagName } from '../messages';
import { FlagNotEditable, InvalidFlagOperation, UnknownFlag } from './flags.errors';

/** Flags that people set and take away themselves, with their bits. */
const EDITABLE_FLAGS = { read: Flag.read, starred: Flag.starred, collapsed: Flag.collapsed } as const;

/** A change that people may make to their flags on messages. */
export interface FlagChange {
  readonly flag: keyof typeof EDITABLE_FLAGS;
  readonly bit: number;
  readonly op: 'add' | 'remove';
}

/**
 * Checks a change in the order of groups reference 9.2.
 * @throws UnknownFlag, FlagNotEditable, InvalidFlagOperation
 */
export function parseFlagChange(op: string, flag: string): FlagChange {
  if (!isFlagName(flag)) throw new UnknownFlag(flag);
  if (!isEditable(flag)) throw new FlagNotEditable(flag);
  if (op !== 'add' && op !== 'remove') throw new InvalidFlagOperation(op);
  return { flag, bit: EDITABLE_FLAGS[flag], op };
}

/** Whether messages become unread, which is told and refused in ways of its own. */
export function makesUnread({ flag, op }: FlagChange): boolean {
  return flag === 'read' && op === 'remove';
}

function isEditable(flag: string): flag is FlagChange['flag'] {
  return Object.hasOwn(EDITABLE_FLAGS, flag);
}
