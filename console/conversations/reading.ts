import { call } from '../connection/call';
import { placeKey, type Place } from '../connection/place';
import type { Message } from '../connection/records';
import { settings, unread } from '../connection/state';
import { announce } from '../parts/status';
import { attempt } from '../parts/task';
import * as words from '../words';
import { type Narrow, termsOf } from './narrow';
import { placeOf } from './places';

const WAIT_MS = 400;
/** As many as one request may name, and more than one sees. */
const AT_ONCE = 1000;

/** Values of the setting; the other one is to mark them everywhere. */
const IN_CONVERSATIONS = 2;
const NEVER = 3;

const UNREAD = { operator: 'is', operand: 'unread' };

/** How far a range of messages was gone through. */
interface RangeMarked {
  readonly found_newest: boolean;
  readonly last_processed_id: number | null;
}

const seen = new Set<number>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Marks everything as read, and offers to take it back. */
export async function markAllRead(): Promise<void> {
  const ids = [...unread.value.keys()];
  // The server marks as many at once as it has time for.
  for (let isDone = false; !isDone;) {
    ({ complete: isDone } = await call<{ complete: boolean }>('POST', 'mark_all_as_read'));
  }
  announceRead(ids);
}

/** Tells how many messages are read now, and offers to take it back. */
function announceRead(ids: readonly number[]): void {
  announce(words.conversations.allRead(ids.length), {
    label: words.undo,
    run: () => attempt(markRead(ids, 'remove')),
  });
}

/** Unread messages of a conversation or channel, by ID; none of pages that show several of those. */
function unreadOf(narrow: Narrow): number[] {
  const isThere = (place: Place): boolean => {
    if ('userIds' in narrow || 'topic' in narrow) return placeKey(place) === placeKey(narrow);
    return 'channelId' in narrow && 'channelId' in place && place.channelId === narrow.channelId;
  };
  return [...unread.value].flatMap(([id, place]) => (isThere(place) ? [id] : []));
}

/** Whether messages are read once one sees them there, as the reader has chosen. */
export function isReadWhenSeen(narrow: Narrow): boolean {
  const policy = settings.value['web_mark_read_on_scroll_policy'];
  return policy === IN_CONVERSATIONS ? 'userIds' in narrow || 'topic' in narrow : policy !== NEVER;
}

/** Marks all messages of a narrow as read, and offers to take it back. */
export async function markNarrowRead(narrow: Narrow): Promise<void> {
  const ids = unreadOf(narrow);
  const range = { include_anchor: false, num_before: 0, num_after: AT_ONCE };
  const marking = { narrow: [...termsOf(narrow), UNREAD], op: 'add', flag: 'read' };
  let marked: RangeMarked = { found_newest: false, last_processed_id: null };
  do {
    const anchor = marked.last_processed_id ?? 'oldest';
    marked = await call<RangeMarked>('POST', 'messages/flags/narrow', { ...range, ...marking, anchor });
  } while (!marked.found_newest && marked.last_processed_id !== null);
  if (ids.length > 0) announceRead(ids);
}

/** Sets a flag of a message, or removes it. */
export const setFlag = (message: Message, flag: 'starred' | 'collapsed') =>
  call('POST', 'messages/flags', {
    messages: [message.id],
    op: message.flags.includes(flag) ? 'remove' : 'add',
    flag,
  });

/** So many messages are marked as unread at once, as other clients do. */
const MOST_UNREAD = 5000;

/** Marks a message and those after it in its conversation as unread. */
export const markUnread = (message: Message) =>
  call('POST', 'messages/flags/narrow', {
    anchor: message.id,
    include_anchor: true,
    num_before: 0,
    num_after: MOST_UNREAD,
    narrow: termsOf(placeOf(message)),
    op: 'remove',
    flag: 'read',
  });

/** Marks messages as read, those of a moment together. */
export function noteSeen(messageId: number): void {
  seen.add(messageId);
  timer ??= setTimeout(() => {
    timer = undefined;
    const ids = [...seen].filter((id) => unread.value.has(id));
    seen.clear();
    // What is lost now is unread still, and seen again.
    if (ids.length > 0) void markRead(ids).catch(() => undefined);
  }, WAIT_MS);
}

/** Marks messages as read, or as unread again. */
async function markRead(ids: readonly number[], op: 'add' | 'remove' = 'add'): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    await call('POST', 'messages/flags', {
      messages: ids.slice(from, from + AT_ONCE),
      op,
      flag: 'read',
    });
  }
}
