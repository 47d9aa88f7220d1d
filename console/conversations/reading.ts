import { call } from '../connection/call';
import { unread } from '../connection/state';
import { announce } from '../parts/status';
import { attempt } from '../parts/task';
import * as words from '../words';

const WAIT_MS = 400;
/** As many as one request may name, and more than one sees. */
const AT_ONCE = 1000;

const seen = new Set<number>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Marks everything as read, and offers to take it back. */
export async function markAllRead(): Promise<void> {
  const ids = [...unread.value.keys()];
  // The server marks as many at once as it has time for.
  for (let isDone = false; !isDone;) {
    ({ complete: isDone } = await call<{ complete: boolean }>('POST', 'mark_all_as_read'));
  }
  announce(words.conversations.allRead(ids.length), {
    label: words.undo,
    run: () => attempt(markRead(ids, 'remove')),
  });
}

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
export async function markRead(ids: readonly number[], op: 'add' | 'remove' = 'add'): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    await call('POST', 'messages/flags', {
      messages: ids.slice(from, from + AT_ONCE),
      op,
      flag: 'read',
    });
  }
}
