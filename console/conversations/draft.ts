import { useState } from 'preact/hooks';
import { Refusal } from '../connection/call';
import { myId, organization } from '../connection/state';
import * as words from '../words';

/**
 * A text that somebody is writing. In its window it outlasts the page, and that one has to sign in again; it is forgotten
 * when it is empty, and with all others when one signs out.
 */
export function useDraft(name: string) {
  const key = `draft ${myId.value} ${name}`;
  const [text, setText] = useState(sessionStorage.getItem(key) ?? '');
  const change = (next: string | ((before: string) => string)) =>
    setText((before) => {
      const after = typeof next === 'string' ? next : next(before);
      if (after) sessionStorage.setItem(key, after);
      else sessionStorage.removeItem(key);
      return after;
    });
  return [text, change] as const;
}

/** @throws {Refusal} where the server would leave off the end of a text */
export function checkLength(text: string): void {
  const most = Number(organization.value['max_message_length']);
  const count = [...text.trim()].length;
  if (count > most) throw new Refusal(words.conversations.tooLong(count, most), 400, 'TOO_LONG');
}
