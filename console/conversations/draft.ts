import { signal, type Signal } from '@preact/signals';
import { Refusal } from '../connection/call';
import { myId, organization } from '../connection/state';
import * as words from '../words';

const drafts = new Map<string, Signal<string>>();

/** Replaces a text, by what is made of the one that is there then. */
export type ChangeDraft = (next: string | ((before: string) => string)) => void;

/**
 * A draft in progress. It survives leaving the page and signing in again in its window; it is deleted when empty, and
 * with all others on sign-out. Pending work may still change it after the page is left.
 */
export function useDraft(name: string): readonly [string, ChangeDraft] {
  const key = `draft ${myId.value} ${name}`;
  const text = drafts.get(key) ?? signal(sessionStorage.getItem(key) ?? '');
  drafts.set(key, text);
  const change: ChangeDraft = (next) => {
    const after = typeof next === 'string' ? next : next(text.value);
    text.value = after;
    if (after) sessionStorage.setItem(key, after);
    else sessionStorage.removeItem(key);
  };
  return [text.value, change];
}

/** Takes along what is being written where a conversation goes, unless something is being written there. */
export function moveDraft(from: string, to: string): void {
  const [text, changeHere] = useDraft(from);
  const [there, changeThere] = useDraft(to);
  if (!text || there) return;
  changeThere(text);
  changeHere('');
}

/** @throws {Refusal} where the server would leave off the end of a text */
export function checkLength(text: string): void {
  const most = Number(organization.value['max_message_length']);
  const count = [...text.trim()].length;
  if (count > most) throw new Refusal(words.conversations.tooLong(count, most));
}
