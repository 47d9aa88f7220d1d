import { computed, effect, signal, untracked } from '@preact/signals';
import { callQuietly, Refusal } from '../connection/call';
import { connection } from '../connection/live';
import type { DraftContent, SavedDraft } from '../connection/records';
import { drafts, epoch, myId, onEvent, settings } from '../connection/state';
import {
  changeDraft,
  draftNames,
  draftText,
  findDrafts,
  followDrafts,
  forgetDrafts,
  keep,
  writeDraft,
} from '../conversations/draft';
import { path } from '../router';
import { contentOf, nameFor, placeOfName, stateOfDraft, topicFieldOf } from './places';

/** The server's copy of a draft of this device. */
interface Known {
  readonly id?: number;
  /** The last states sent by this device; if the server reports one of them, no other device has made changes. */
  readonly sent: readonly string[];
  /** The state that both sides agree on. */
  readonly state: string;
  /** Whether events have reported the draft, so that its absence means deletion. */
  readonly isSeen?: boolean;
}

/** Delays after the last key press, and after a failure. */
const PAUSE_MS = 3000;
const EMPTY_PAUSE_MS = 300;
const RETRY_MS = 15_000;
const MOST_SENT = 4;

const known = signal<Readonly<Record<string, Known>>>({});
/** IDs of drafts removed by this page; events about them may still arrive. */
const removed = new Set<number>();
/** Names of changed drafts that must be saved. */
const waiting = new Set<string>();
const busy = new Set<string>();
/** Drafts changed since the page was opened. */
const edited = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;
let hasEnded = false;

const keyOfKnown = () => `drafts ${myId.value}`;
const isOn = () => !hasEnded && settings.value['enable_drafts_synchronization'] !== false;

function readKnown(): void {
  try {
    known.value = JSON.parse(localStorage.getItem(keyOfKnown()) ?? '{}') as Record<string, Known>;
  } catch {
    known.value = {};
  }
}

function note(name: string, next: Known | undefined): void {
  if (hasEnded) return;
  const { [name]: _, ...others } = known.value;
  known.value = next ? { ...others, [name]: next } : others;
  keep(keyOfKnown(), JSON.stringify(known.value));
}

const isUnchanged = (name: string) => {
  const mine = known.value[name];
  return mine ? mine.state === stateOfDraft(contentOf(name)) : draftText(name).trim() === '';
};

/** Saved drafts not shown in any composer of this device. */
export const otherDrafts = computed<readonly SavedDraft[]>(() => {
  const shown = new Set(Object.values(known.value).map(({ id }) => id));
  return [...drafts.value.values()].filter(({ id }) => !shown.has(id) && !removed.has(id));
});

/** Empties a composer, including its topic. */
function clear(name: string): void {
  writeDraft(name, '');
  writeDraft(topicFieldOf(name), '');
}

/** Shows a saved draft in the composer of its conversation. */
function show(name: string, draft: SavedDraft): void {
  writeDraft(name, draft.content);
  if (!('topic' in placeOfName(name))) writeDraft(topicFieldOf(name), draft.topic);
  note(name, { id: draft.id, state: stateOfDraft(draft), sent: [], isSeen: true });
}

/** Merges a saved draft: shows the newer text, and keeps the other one as a second draft. */
function takeIn(name: string, draft: SavedDraft): void {
  const mine = known.value[name];
  const state = stateOfDraft(draft);
  const isMine = mine !== undefined && (mine.state === state || mine.sent.includes(state));
  if (mine?.id === draft.id) {
    if (isMine) return mine.isSeen ? undefined : note(name, { ...mine, isSeen: true });
    if (isUnchanged(name)) return show(name, draft);
    if (stateOfDraft(contentOf(name)) === state) return note(name, { ...mine, state, isSeen: true });
    if (edited.has(name)) return note(name, undefined);
    if (!busy.has(name)) void exchange(name, draft);
    return;
  }
  if (mine?.id !== undefined) return;
  if (isMine || stateOfDraft(contentOf(name)) === state)
    return note(name, { id: draft.id, state, sent: mine?.sent ?? [], isSeen: true });
  if (!mine && draftText(name) === '') show(name, draft);
}

/** Shows a saved draft once the text that it replaces is stored as a second one. */
async function exchange(name: string, draft: SavedDraft): Promise<void> {
  const content = contentOf(name);
  const state = stateOfDraft(content);
  busy.add(name);
  try {
    const id = await add(content);
    if (stateOfDraft(contentOf(name)) === state) show(name, draft);
    // The author has continued writing, so the composer keeps the copy.
    else note(name, { id, state, sent: [state] });
  } catch {
    // The text becomes a separate draft as soon as the server accepts it.
    note(name, undefined);
    save(name);
  } finally {
    busy.delete(name);
  }
}

/** The name of the draft that was sent in this state and has no response yet. */
const sentAs = (state: string) =>
  Object.entries(known.value).find(([, { id, sent }]) => id === undefined && sent.includes(state))?.[0];

/** @param isFresh whether the state was just loaded, so that missing drafts are gone */
function reconcile(isFresh: boolean): void {
  if (!isOn()) return;
  const names = new Map(Object.entries(known.value).map(([name, { id }]) => [id, name]));
  const newestFirst = [...drafts.value.values()].sort(
    (one, other) => other.timestamp - one.timestamp || other.id - one.id,
  );
  for (const draft of newestFirst) {
    const name = names.get(draft.id) ?? sentAs(stateOfDraft(draft)) ?? nameFor(draft);
    if (name !== null && !removed.has(draft.id)) takeIn(name, draft);
  }
  for (const [name, { id, isSeen, sent }] of Object.entries(known.value)) {
    if (id === undefined || drafts.value.has(id) || !(isSeen || isFresh)) continue;
    // The draft was sent or deleted elsewhere.
    if (isUnchanged(name) || sent.includes(stateOfDraft(contentOf(name)))) clear(name);
    note(name, undefined);
  }
  for (const name of new Set([...draftNames.value, ...Object.keys(known.value)])) {
    if (!isUnchanged(name)) save(name);
  }
}

/** Schedules the saving of a draft. */
function save(name: string, after = draftText(name) === '' ? EMPTY_PAUSE_MS : PAUSE_MS): void {
  waiting.add(name);
  if (!isOn()) return;
  clearTimeout(timer);
  timer = setTimeout(() => void saveWaiting(), after);
}

async function saveWaiting(): Promise<void> {
  clearTimeout(timer);
  if (!isOn()) return;
  const names = [...waiting];
  waiting.clear();
  await Promise.all(names.map(saved));
}

async function add(content: DraftContent): Promise<number> {
  const { ids } = await callQuietly<{ ids: number[] }>('POST', 'drafts', { drafts: [content] });
  return ids[0]!;
}

/** Saves one draft to the server. */
async function saved(name: string): Promise<void> {
  if (busy.has(name)) return save(name);
  if (isUnchanged(name)) return;
  const content = contentOf(name);
  const state = stateOfDraft(content);
  const mine = known.value[name];
  const id = mine?.id;
  busy.add(name);
  try {
    if (content.content === '') {
      if (id !== undefined) {
        removed.add(id);
        await callQuietly('DELETE', `drafts/${id}`, {});
      }
      if (draftText(name).trim() === '') note(name, undefined);
    } else {
      const sent = [...(mine?.sent ?? []), state].slice(-MOST_SENT);
      note(name, { state: '', ...mine, sent });
      if (id === undefined) {
        note(name, { id: await add(content), state, sent, isSeen: known.value[name]?.isSeen ?? false });
      } else {
        removed.delete(id);
        await callQuietly('PATCH', `drafts/${id}`, { draft: content });
        const now = known.value[name];
        if (now?.id === id) note(name, { ...now, state, sent });
      }
    }
  } catch (error) {
    takeFailure(name, error);
    return;
  } finally {
    busy.delete(name);
  }
  if (!isUnchanged(name)) save(name);
}

/** Rejected drafts stay on this device. */
function takeFailure(name: string, error: unknown): void {
  if (!(error instanceof Refusal)) return save(name, RETRY_MS);
  // The session has ended, which the page detects by itself.
  if (error.status === 401 || error.status === 403) hasEnded = true;
  else if (error.status === 404) {
    note(name, undefined);
    save(name);
  } else if (error.retryAfter !== undefined) save(name, 1000 * error.retryAfter);
}

/** Deletes a draft, wherever it is stored. @returns a function that restores it */
export async function removeDraft(draft: string | SavedDraft): Promise<() => Promise<unknown>> {
  if (typeof draft === 'string') {
    const [text, topic] = [draftText(draft), draftText(topicFieldOf(draft))];
    clear(draft);
    changeDraft(draft, '');
    return async () => {
      writeDraft(topicFieldOf(draft), topic);
      changeDraft(draft, text);
    };
  }
  await callQuietly('DELETE', `drafts/${draft.id}`, {});
  const { type, to, topic, content } = draft;
  return () => add({ type, to, topic, content });
}

/** Shows a saved draft in its composer; the current text stays as a draft. */
export async function restoreDraft(name: string, draft: SavedDraft): Promise<void> {
  await saved(name);
  if (!isUnchanged(name)) throw new TypeError();
  show(name, draft);
}

/** Stops the synchronization, and deletes all drafts from this device. */
export function endDrafts(): void {
  void saveWaiting();
  hasEnded = true;
  forgetDrafts();
}

/** Synchronizes drafts between devices while the page is open. */
export function syncDrafts(): void {
  followDrafts((name) => {
    const conversation = name.startsWith('topic ') ? name.slice('topic '.length) : name;
    if (!conversation.startsWith('{')) return;
    edited.add(conversation);
    save(conversation);
  });
  effect(() => {
    if (epoch.value === 0) return;
    untracked(() => {
      findDrafts();
      readKnown();
      reconcile(true);
    });
  });
  onEvent(({ type }) => type === 'drafts' && reconcile(false));
  effect(() => {
    if (connection.value === 'live' && waiting.size > 0) untracked(() => void saveWaiting());
  });
  effect(() => {
    if (path.value) untracked(() => void saveWaiting());
  });
  addEventListener('storage', ({ key }) => key === keyOfKnown() && readKnown());
  addEventListener('pagehide', () => void saveWaiting());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void saveWaiting();
  });
}
