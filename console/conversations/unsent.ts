import { effect, signal, untracked } from '@preact/signals';
import { callQuietly, Refusal, type Parameters } from '../connection/call';
import { connection } from '../connection/live';
import { placeKey, recipientOf, type Place } from '../connection/place';
import { epoch, myId, onEvent, queueId } from '../connection/state';
import { nameOfPlace } from '../drafts/places';
import { sentenceOf } from '../parts/task';
import { changeDraft, draftText, keep } from './draft';
import * as words from '../words';
import { reply } from './replying';

/** A message that is being sent, or waits to be sent. */
export interface Unsent {
  /** Queue and number of the first request, by which the server recognizes retries. */
  readonly queueId: string;
  readonly localId: string;
  readonly place: Place;
  readonly content: string;
  /** Whether the message has left the composer. */
  readonly isShown: boolean;
  /** Why the server rejected the message; empty if it has not. */
  readonly refusal: string;
  /** When the message was first sent, in milliseconds since 1970. */
  readonly since: number;
}

const LONGEST_PAUSE_MS = 30_000;
/** The server recognizes a repeated request for seven days. Older messages are sent again only by hand. */
const RETRIED_MS = 6 * 24 * 3_600_000;

const isTooOld = ({ since }: Unsent) => !(Date.now() - since < RETRIED_MS);

/** Unsent messages, oldest first. They outlast the page. */
export const unsent = signal<readonly Unsent[]>([]);
/** The message being retried. */
export const resending = signal<Unsent | null>(null);

/** Number of sent messages. Each has a number, by which events report its arrival. */
let count = 0;
/** Tabs share a queue, so the numbers need a prefix unique to the tab. */
const tab = crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36);
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Callbacks for the arrival of messages, by key. */
const awaited = new Map<string, () => void>();

const prefix = () => `unsent ${myId.value} `;
const keyOf = (item: Unsent) => `${prefix()}${item.queueId} ${item.localId}`;

function put(item: Unsent): Unsent {
  const key = keyOf(item);
  const isKnown = unsent.value.some((each) => keyOf(each) === key);
  unsent.value = isKnown
    ? unsent.value.map((each) => (keyOf(each) === key ? item : each))
    : [...unsent.value, item];
  keep(key, JSON.stringify(item));
  return item;
}

/** Forgets a message that was sent or discarded. */
export function drop(item: Unsent): void {
  const key = keyOf(item);
  unsent.value = unsent.value.filter((each) => keyOf(each) !== key);
  keep(key, '');
  awaited.get(key)?.();
  awaited.delete(key);
}

/** Whether earlier messages of the same conversation are waiting. */
export const hasWaiting = (place: Place) =>
  unsent.value.some((each) => each.refusal === '' && placeKey(each.place) === placeKey(place));

/** Records a message before it is sent. */
export function prepared(place: Place, content: string): Unsent {
  return put({
    queueId: queueId.value ?? '',
    localId: `${tab}.${++count}`,
    place,
    content,
    isShown: false,
    refusal: '',
    since: Date.now(),
  });
}

/** The request that sends a message. */
export function requestFor({ place, content, queueId: queue_id, localId: local_id }: Unsent): Parameters {
  const to = recipientOf(place, myId.value);
  return { ...to, content, read_by_sender: true, queue_id, local_id };
}

/** Sets a callback for when the response or the event reports the message's arrival. */
export function onArrival(item: Unsent, done: () => void): void {
  awaited.set(keyOf(item), done);
}

/** Queues a message until the connection is back, visibly. */
export function wait(item: Unsent): void {
  awaited.delete(keyOf(item));
  // The event may have reported its arrival already.
  if (unsent.value.some((each) => keyOf(each) === keyOf(item))) put({ ...item, isShown: true });
  pause(1000);
}

/** Sends waiting messages one by one. */
async function resend(): Promise<void> {
  clearTimeout(timer);
  if (resending.value) return;
  for (;;) {
    const item = unsent.value.find(({ isShown, refusal }) => isShown && refusal === '');
    if (!item) return;
    if (isTooOld(item)) {
      put({ ...item, refusal: words.unsent.tooOld });
      continue;
    }
    resending.value = item;
    try {
      await callQuietly('POST', 'messages', requestFor(item));
      failures = 0;
      drop(item);
    } catch (error) {
      if (!takeFailure(item, error)) return;
    } finally {
      resending.value = null;
    }
  }
}

/** @returns whether to continue with the next message */
function takeFailure(item: Unsent, error: unknown): boolean {
  const isRefusal = error instanceof Refusal;
  // The messages are found again after the user has signed in.
  if (isRefusal && (error.status === 401 || error.code === 'CSRF_FAILED')) return false;
  if (isRefusal && error.status < 500 && error.retryAfter === undefined) {
    if (unsent.value.includes(item)) put({ ...item, refusal: sentenceOf(error) });
    return true;
  }
  const longest = Math.min(1000 * 2 ** failures++, LONGEST_PAUSE_MS);
  pause(isRefusal && error.retryAfter !== undefined ? 1000 * error.retryAfter : longest);
  return false;
}

function pause(milliseconds: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void resend(), milliseconds);
}

/** Sends a refused message again. */
export function sendAgain(item: Unsent): void {
  put({ ...item, refusal: '', since: isTooOld(item) ? Date.now() : item.since });
  void resend();
}

/** Puts a text back, before anything typed since. */
export const putBack = (content: string) => (now: string) => (now ? `${content}\n${now}` : content);

/** Returns a message to the composer. */
export function editUnsent(item: Unsent): void {
  drop(item);
  changeDraft(nameOfPlace(item.place), putBack(item.content));
  reply(item.place);
}

/** Removes the sent text from the draft, but keeps what was typed since. */
export const takeOut = (content: string) => (now: string) =>
  now.startsWith(content) ? now.slice(content.length) : now;

/** Number of a message within its tab. The tab's prefix is not in base 10. */
const numberOf = ({ localId }: Unsent) => Number(localId.slice(localId.indexOf('.') + 1));

/** Loads messages left by earlier pages. The server knows which arrived, and ignores repeats. */
function findUnsent(): void {
  const found = Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix()) && !unsent.value.some((each) => keyOf(each) === key))
    .map((key) => JSON.parse(localStorage.getItem(key)!) as Unsent)
    .sort((one, other) => one.since - other.since || numberOf(one) - numberOf(other));
  for (const item of found) {
    const { place, content, isShown } = item;
    put({ ...item, isShown: true });
    // The message has already left the draft.
    if (isShown) continue;
    const names = [place, ...('channelId' in place ? [{ channelId: place.channelId }] : [])].map(nameOfPlace);
    for (const name of names) if (draftText(name).startsWith(content)) changeDraft(name, takeOut(content));
  }
}

/** Sends waiting messages while the page is open. */
export function sendUnsent(): void {
  onEvent(({ local_message_id: id }) => {
    const item = id && unsent.value.find((each) => each.localId === id && each.queueId === queueId.value);
    if (item) drop(item);
  });
  let isFound = false;
  effect(() => {
    if (epoch.value === 0 || isFound) return;
    isFound = true;
    untracked(findUnsent);
  });
  effect(() => {
    if (connection.value === 'live') untracked(() => void resend());
  });
  addEventListener('online', () => void resend());
  // Another window of this browser has sent or discarded a message.
  addEventListener('storage', ({ key, newValue }) => {
    const item = newValue === null && unsent.value.find((each) => keyOf(each) === key);
    if (item) drop(item);
  });
}
