import { signal } from '@preact/signals';

/** Storage key for when the pause of notifications ends, in milliseconds. */
const STORED = 'quiet until';

function stored(): number {
  const until = Number(localStorage.getItem(STORED));
  return until > Date.now() ? until : 0;
}

/** Until when notifications of this browser are paused, in milliseconds; 0 where they are not. */
export const quietUntil = signal(stored());

/** Timers count no further. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;
let timer: ReturnType<typeof setTimeout> | undefined;

function follow(): void {
  quietUntil.value = stored();
  clearTimeout(timer);
  if (quietUntil.value === 0) return;
  timer = setTimeout(follow, Math.min(quietUntil.value - Date.now() + 50, LONGEST_WAIT_MS));
}

follow();
// Another window has changed it.
addEventListener('storage', ({ key }) => key === STORED && follow());

/** Pauses the notifications of pages in this browser, or with 0 has them go on. */
export function setQuiet(until: number): void {
  if (until === 0) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, String(until));
  follow();
}

/** When it will be nine in the morning tomorrow. */
export function tomorrow(now = new Date()): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9).valueOf();
}
