import type { Message } from '../connection/records';
import { epoch } from '../connection/state';
import { MessageWindow } from './message-window';
import { keyOf, type Narrow } from './narrow';

/** So many that were left are kept; the one that was left longest ago goes first. */
const MOST = 50;

const left = new Map<string, MessageWindow>();

/** The messages of the page that is open. */
let open: MessageWindow | null = null;

/** The messages of a page: as they were when it was left, kept up to date since, or none yet. */
export function viewOf(narrow: Narrow, near: number | null): MessageWindow {
  const key = keyOf(narrow);
  const view = left.get(key);
  left.delete(key);
  if (view?.canShow(near)) return (open = view);
  view?.close();
  return (open = new MessageWindow(narrow, near));
}

/** A message of the page that is open. */
export function shownMessage(id: number): Message | undefined {
  return open?.messages.value.find((message) => message.id === id);
}

/** Keeps the messages of a page that is left, for when one comes back. */
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

/** Whether what was kept may lack something: events tell of messages of a place, but not of all that fits other narrows. */
export function isStale({ narrow, epochShown, isBehind }: MessageWindow): boolean {
  return isBehind || epochShown !== epoch.value || !('channelId' in narrow || 'userIds' in narrow);
}
