import { signal, type Signal } from '@preact/signals';
import { Refusal } from '../connection/call';
import { myId, organization } from '../connection/state';
import * as words from '../words';

/** Storage keys of unsent content on this device, of all its users. */
const KEPT = /^(draft|drafts|unsent) \d+/;

const texts = new Map<string, Signal<string>>();

const keyOf = (name: string) => `draft ${myId.value} ${name}`;

/** Edits of sent messages belong to one window and end with it; all windows of the browser share drafts. */
const storeOf = (key: string) => (/^draft \d+ (edit|before) /.test(key) ? sessionStorage : localStorage);

function textAt(key: string): Signal<string> {
  const text = texts.get(key) ?? signal(storeOf(key).getItem(key) ?? '');
  texts.set(key, text);
  return text;
}

/** Names of the conversations with a draft. */
export const draftNames = signal<ReadonlySet<string>>(new Set());

/** Drafts of conversations are named by their place, a JSON object; others belong to editors and fields. */
const isOfConversation = (name: string) => name.startsWith('{');

function noteName(name: string, hasText: boolean): void {
  if (!isOfConversation(name) || draftNames.value.has(name) === hasText) return;
  const names = new Set(draftNames.value);
  if (hasText) names.add(name);
  else names.delete(name);
  draftNames.value = names;
}

/** Finds the conversations with drafts on this device. */
export function findDrafts(): void {
  const start = keyOf('');
  draftNames.value = new Set(
    Object.keys(localStorage).flatMap((key) =>
      key.startsWith(start) && isOfConversation(key.slice(start.length)) ? [key.slice(start.length)] : [],
    ),
  );
}

let changed: (name: string) => void = () => undefined;

/** Sets the listener for drafts changed on this page. */
export function followDrafts(listener: typeof changed): void {
  changed = listener;
}

/** Stores a value on this device. Ignores full or disabled storage, which must not prevent writing. */
export function keep(key: string, value: string): void {
  try {
    if (value) storeOf(key).setItem(key, value);
    else storeOf(key).removeItem(key);
  } catch {
    // The value stays in memory.
  }
}

/** The current text of a draft. */
export function draftText(name: string): string {
  return textAt(keyOf(name)).value;
}

/** Writes a draft without notifying the listener, for changes from elsewhere. */
export function writeDraft(name: string, text: string): void {
  textAt(keyOf(name)).value = text;
  keep(keyOf(name), text);
  noteName(name, text !== '');
}

/** Replaces a text, or transforms the current one. */
export type ChangeDraft = (next: string | ((before: string) => string)) => void;

/** Changes a draft on behalf of its author. */
export function changeDraft(name: string, ...[next]: Parameters<ChangeDraft>): void {
  writeDraft(name, typeof next === 'string' ? next : next(draftText(name)));
  changed(name);
}

/**
 * A draft in progress. It survives closing the window and signing in again; it is deleted when empty, and on sign-out.
 * Pending work may still change it after the page is left.
 */
export function useDraft(name: string): readonly [string, ChangeDraft] {
  return [textAt(keyOf(name)).value, (next) => changeDraft(name, next)];
}

// Another window of this browser has changed a draft.
addEventListener('storage', ({ key, newValue }) => {
  const start = keyOf('');
  if (!key?.startsWith(start)) return;
  const text = texts.get(key);
  if (text) text.value = newValue ?? '';
  noteName(key.slice(start.length), newValue !== null);
});

/** Deletes all unsent content from this device. */
export function forgetDrafts(): void {
  for (const key of Object.keys(localStorage)) if (KEPT.test(key)) localStorage.removeItem(key);
}

/** Moves a draft along with its conversation, unless the destination already has one. */
export function moveDraft(from: string, to: string): void {
  const text = draftText(from);
  if (!text || draftText(to)) return;
  changeDraft(to, text);
  changeDraft(from, '');
}

/** @throws {Refusal} if the server would truncate the text */
export function checkLength(text: string): void {
  const most = Number(organization.value['max_message_length']);
  const count = [...text.trim()].length;
  if (count > most) throw new Refusal(words.conversations.tooLong(count, most));
}
