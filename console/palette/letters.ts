import { signal } from '@preact/signals';

const STORED = 'keys of one letter';

/**
 * Whether single-letter shortcuts work. Users of speech input, or prone to accidental key presses, can turn them off.
 */
export const lettersWork = signal(localStorage.getItem(STORED) !== 'off');

/** Turns single-letter shortcuts on or off on this device. */
export function setLetters(doWork: boolean): void {
  lettersWork.value = doWork;
  if (doWork) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, 'off');
}
