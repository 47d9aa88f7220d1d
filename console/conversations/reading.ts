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
/** Maximum number of messages per request; more than a screen shows. */
const AT_ONCE = 1000;

/** Values of the setting; the remaining one marks messages as read everywhere. */
const IN_CONVERSATIONS = 2;
const NEVER = 3;

const UNREAD = { operator: 'is', operand: 'unread' };

/** Progress through a range of messages. */
interface RangeMarked {
  readonly found_newest: boolean;
  readonly last_processed_id: number | null;
}

const seen = new Set<number>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Marks everything as read, and offers to undo that. */
export async function markAllRead(): Promise<void> {
  const ids = [...unread.value.keys()];
  // Each request marks only as many messages as the server has time for.
  for (let isDone = false; !isDone;) {
    ({ complete: isDone } = await call<{ complete: boolean }>('POST', 'mark_all_as_read'));
  }
  announceRead(ids);
}

/** Announces the number of messages marked as read, and offers to undo that. */
function announceRead(ids: readonly number[]): void {
  announce(words.conversations.allRead(ids.length), {
    label: words.undo,
    run: () => attempt(markRead(ids, 'remove')),
  });
}

/** IDs of unread messages of a conversation or channel; empty for narrows across conversations. */
function unreadOf(narrow: Narrow): number[] {
  const isThere = (place: Place): boolean => {
    if ('userIds' in narrow || 'topic' in narrow) return placeKey(place) === placeKey(narrow);
    return 'channelId' in narrow && 'channelId' in place && place.channelId === narrow.channelId;
  };
  return [...unread.value].flatMap(([id, place]) => (isThere(place) ? [id] : []));
}

/** Whether visible messages are marked as read, according to the user's setting. */
export function isReadWhenSeen(narrow: Narrow): boolean {
  const policy = settings.value['web_mark_read_on_scroll_policy'];
  return policy === IN_CONVERSATIONS ? 'userIds' in narrow || 'topic' in narrow : policy !== NEVER;
}

/** Marks all messages of a narrow as read, and offers to undo that. */
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

/** Adds or removes a flag of a message. */
export const setFlag = (message: Message, flag: 'starred' | 'collapsed') =>
  call('POST', 'messages/flags', {
    messages: [message.id],
    op: message.flags.includes(flag) ? 'remove' : 'add',
    flag,
  });

/** Maximum number of messages marked as unread at once, as in other clients. */
const MOST_UNREAD = 5000;

/** Marks a message and later ones in its conversation as unread. */
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

/** Marks visible messages as read, in batches. */
export function noteSeen(messageId: number): void {
  seen.add(messageId);
  timer ??= setTimeout(() => {
    timer = undefined;
    const ids = [...seen].filter((id) => unread.value.has(id));
    seen.clear();
    // After a failure, messages stay unread until they are seen again.
    if (ids.length > 0) void markRead(ids).catch(() => undefined);
  }, WAIT_MS);
}

/** Marks messages as read or unread. */
async function markRead(ids: readonly number[], op: 'add' | 'remove' = 'add'): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    await call('POST', 'messages/flags', {
      messages: ids.slice(from, from + AT_ONCE),
      op,
      flag: 'read',
    });
  }
}
