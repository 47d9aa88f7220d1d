import { signal } from '@preact/signals';
import { unread } from '../connection/state';
import { openPicture } from '../conversations/pictures';
import { hrefOf, isMutedTopic } from '../conversations/places';
import { forwarded, wantsToWrite } from '../conversations/replying';
import { awaited } from '../parts/lazy';
import { navigate, path, ROOT } from '../router';

/** The window that a key has opened. */
export const opened = signal<'palette' | 'keys' | null>(null);

const STORED = 'keys of one letter';

/**
 * Whether single-letter shortcuts work: users of speech input, or prone to accidental key presses, can switch them off.
 */
export const lettersWork = signal(localStorage.getItem(STORED) !== 'off');

/** Switches that, on this device. */
export function setLetters(doWork: boolean): void {
  lettersWork.value = doWork;
  if (doWork) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, 'off');
}

const STEPS = '.message, .place-row';
const focused = () => document.activeElement?.closest<HTMLElement>(STEPS) ?? null;

/** Gives the focus to a message or conversation: so many from the one that has it, or the first on the screen. */
function step(by: number): boolean {
  const all = [...document.querySelectorAll<HTMLElement>(STEPS)];
  const now = focused();
  const list = document.querySelector('.log, main')?.getBoundingClientRect();
  if (!list || all.length === 0) return false;
  const top = all.findIndex((each) => each.getBoundingClientRect().top >= list.top);
  const at = now ? all.indexOf(now) + by : Math.max(0, top);
  all[Math.max(0, Math.min(at, all.length - 1))]?.focus();
  return true;
}

/** Presses a button of the message that has the focus. */
function press(selector: string): boolean {
  const button = focused()?.querySelector<HTMLElement>(selector);
  button?.click();
  return button !== null && button !== undefined;
}

/** Leads to the conversation whose unread message has waited longest, of those that are not open. */
function goToUnread(isDirect: boolean): boolean {
  for (const place of unread.value.values()) {
    const isOther = 'userIds' in place !== isDirect || decodeURI(hrefOf(place)) === decodeURI(path.value);
    if (isOther || (!('userIds' in place) && isMutedTopic(place.channelId, place.topic))) continue;
    navigate(hrefOf(place));
    return true;
  }
  return false;
}

const go = (to: string) => {
  navigate(to);
  return true;
};

/** What keys do, as in other clients; nothing, where they say so. */
const COMMANDS: Readonly<Record<string, () => boolean>> = {
  '?': () => ((opened.value = 'keys'), true),
  '/': () => {
    document.querySelector<HTMLElement>('[role=search] input')?.focus();
    return true;
  },
  j: () => step(1),
  ArrowDown: () => focused() !== null && step(1),
  k: () => step(-1),
  ArrowUp: () => focused() !== null && step(-1),
  G: () => step(Infinity),
  End: () => focused() !== null && step(Infinity),
  r: () => {
    const goal = focused()?.querySelector<HTMLAnchorElement>('.head > a');
    const isHere = document.querySelector('.composer textarea') !== null;
    // Where messages of many conversations are, the one that has the focus says which.
    if (!isHere && goal) navigate(goal.pathname);
    wantsToWrite.value = isHere || (goal !== null && goal !== undefined);
    return wantsToWrite.value;
  },
  ':': () => press('[data-key=react]'),
  '>': () => press('[data-key=quote]'),
  '<': () => {
    forwarded.value = Number(focused()?.dataset['id']) || null;
    return forwarded.value !== null;
  },
  e: () => press('[data-key=edit]'),
  i: () => press('[data-key=more]'),
  u: () => press('.sender'),
  v: () => openPicture(focused()),
  n: () => goToUnread(false),
  p: () => goToUnread(true),
  x: () => go(`${ROOT}/direct`),
  I: () => go(ROOT),
  t: () => go(`${ROOT}/recent`),
  a: () => go(`${ROOT}/feed`),
  d: () => go(`${ROOT}/drafts`),
  '*': () => go(`${ROOT}/starred`),
  '@': () => go(`${ROOT}/mentions`),
};

/** Has keys do what they say, for as long as the page is open. */
export function followKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const { key, target } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && key.toLowerCase() === 'k') {
      opened.value = 'palette';
      return event.preventDefault();
    }
    if (isCommand && key === 's' && press('[data-key=star]')) return event.preventDefault();
    const isWritten = (target as Element).closest('input, textarea, select, dialog, [popover]') !== null;
    // What is held down, or meant for a button, is no wish of the page.
    if (isCommand || isWritten || !lettersWork.value || awaited.count > 0) return;
    if (COMMANDS[key]?.()) event.preventDefault();
  });
}
