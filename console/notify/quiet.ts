import { signal } from '@preact/signals';

/** Storage key of when the pause of notifications ends, in milliseconds. */
const STORED = 'quiet until';

function stored(): number {
  const until = Number(localStorage.getItem(STORED));
  return until > Date.now() ? until : 0;
}

/** When the pause of this browser's notifications ends, in milliseconds; 0 if they are not paused. */
export const quietUntil = signal(stored());

/** Maximum delay of timers. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;
let timer: ReturnType<typeof setTimeout> | undefined;

function follow(): void {
  quietUntil.value = stored();
  clearTimeout(timer);
  if (quietUntil.value === 0) return;
  timer = setTimeout(follow, Math.min(quietUntil.value - Date.now() + 50, LONGEST_WAIT_MS));
}

follow();
// Another window has changed the pause.
addEventListener('storage', ({ key }) => key === STORED && follow());

/** Pauses the notifications of pages in this browser; 0 resumes them. */
export function setQuiet(until: number): void {
  if (until === 0) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, String(until));
  follow();
}

/** Nine o'clock tomorrow morning. */
export function tomorrow(now = new Date()): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9).valueOf();
}
