import { useState } from 'preact/hooks';
import { myId } from '../connection/state';

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
