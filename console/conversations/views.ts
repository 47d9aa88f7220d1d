import type { Message } from '../connection/records';
import { epoch } from '../connection/state';
import { MessageWindow } from './message-window';
import { keyOf, type Narrow } from './narrow';

/** Maximum number of left pages kept; the least recent is dropped. */
const MOST = 50;

const left = new Map<string, MessageWindow>();

/** Messages of the open page. */
let open: MessageWindow | null = null;

/** Messages of a page: the kept ones, which events have updated, or an empty window. */
export function viewOf(narrow: Narrow, near: number | null): MessageWindow {
  const key = keyOf(narrow);
  const view = left.get(key);
  left.delete(key);
  if (view?.canShow(near)) return (open = view);
  view?.close();
  return (open = new MessageWindow(narrow, near));
}

/** Finds a message of the open page. */
export function shownMessage(id: number): Message | undefined {
  return open?.messages.value.find((message) => message.id === id);
}

/** Keeps the messages of a page that is left, for when the user returns. */
export function leave(view: MessageWindow): void {
  if (open === view) open = null;
  if (!view.rest()) return view.close();
  const key = keyOf(view.narrow);
  left.get(key)?.close();
  left.set(key, view);
  for (const [oldest, other] of left) {
    if (left.size <= MOST) break;
    other.close();
    left.delete(oldest);
  }
}

/** Whether kept messages may be incomplete: events identify the messages of a place, but not those of every narrow. */
export function isStale({ narrow, epochShown, isBehind }: MessageWindow): boolean {
  return isBehind || epochShown !== epoch.value || !('channelId' in narrow || 'userIds' in narrow);
}
