import { Flag, type FoundMessages, isFlagName } from '../messages/messages.module';
import { FlagNotEditable, InvalidFlagOperation, UnknownFlag } from './flags.api';

/** Flags that people set and take away themselves, with their bits. */
const EDITABLE_FLAGS = { read: Flag.read, starred: Flag.starred, collapsed: Flag.collapsed } as const;

/** A change that people may make to their flags on messages. */
export interface FlagChange {
  readonly flag: keyof typeof EDITABLE_FLAGS;
  readonly bit: number;
  readonly op: 'add' | 'remove';
}

/**
 * The flag is checked before the operation.
 * @throws UnknownFlag, FlagNotEditable, InvalidFlagOperation
 */
export function parseFlagChange(op: string, flag: string): FlagChange {
  if (!isFlagName(flag)) throw new UnknownFlag(flag);
  if (!isEditable(flag)) throw new FlagNotEditable(flag);
  if (op !== 'add' && op !== 'remove') throw new InvalidFlagOperation(op);
  return { flag, bit: EDITABLE_FLAGS[flag], op };
}

/** Whether messages become unread, which has its own events and errors. */
export function makesUnread({ flag, op }: FlagChange): boolean {
  return flag === 'read' && op === 'remove';
}

function isEditable(flag: string): flag is FlagChange['flag'] {
  return Object.hasOwn(EDITABLE_FLAGS, flag);
}

/** What a change of flags comes to. */
export interface FlagPlan {
  /** Messages that the person has in their history. Some may be in the wanted state already. */
  readonly own: readonly number[];
  /** Messages that enter their history by the change. */
  readonly entering: readonly number[];
  /** Channels whose messages stay read, as the person is not subscribed to them. */
  readonly ignoredChannelIds: readonly number[];
}

/** Whether a change marks messages as read. */
export function marksRead({ flag, op }: FlagChange): boolean {
  return flag === 'read' && op === 'add';
}

/**
 * Whether a change leaves messages alone that are not in the history: they count as read already, and have nothing
 * that could be taken away.
 */
export function concernsOwnOnly({ flag, op }: FlagChange): boolean {
  return (flag === 'read') === (op === 'add');
}

/**
 * Works out what any other change does to each message.
 * @param messageIds without repeats
 * @param subscribed of the channels of the messages, those that the person is subscribed to
 * @throws InvalidMessage where a message would have to enter the history that the person may not see
 */
export function planFlagChange(
  change: FlagChange,
  messageIds: readonly number[],
  messages: FoundMessages,
  subscribed: ReadonlySet<number>,
): FlagPlan {
  const own: number[] = [];
  const entering: number[] = [];
  const ignored = new Set<number>();
  for (const id of messageIds) {
    const found = messages.get(id);
    const channelId = found?.message.channelId ?? null;
    if (makesUnread(change) && found?.isKnown && channelId !== null && !subscribed.has(channelId)) {
      ignored.add(channelId);
    } else {
      (messages.readable(id).state.isOwn ? own : entering).push(id);
    }
  }
  return { own, entering, ignoredChannelIds: [...ignored] };
}
