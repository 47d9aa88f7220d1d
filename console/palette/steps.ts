import { hrefOf, placeIn } from '../conversations/places';
import { navigate, path, ROOT } from '../router';

const STEPS = '.message, .place-row';

/** The focused message or conversation. */
export const focused = () => document.activeElement?.closest<HTMLElement>(STEPS) ?? null;

/** Focuses a message or conversation a number of steps away, or the first visible one if none has the focus. */
export function step(by: number): boolean {
  const all = [...document.querySelectorAll<HTMLElement>(STEPS)];
  const now = focused();
  const list = document.querySelector('.log, main')?.getBoundingClientRect();
  if (!list || all.length === 0) return false;
  const top = all.findIndex((each) => each.getBoundingClientRect().top >= list.top);
  const at = now ? all.indexOf(now) + by : Math.max(0, top);
  all[Math.max(0, Math.min(at, all.length - 1))]?.focus();
  return true;
}

/** Scrolls by a screen, and focuses the first visible message or conversation. */
export function turn(by: number): boolean {
  const list = document.querySelector('.log, main');
  if (!list) return false;
  list.scrollBy({ top: by * list.clientHeight * 0.9, behavior: 'instant' });
  const { top } = list.getBoundingClientRect();
  const all = [...document.querySelectorAll<HTMLElement>(STEPS)];
  all.find((each) => each.getBoundingClientRect().top >= top)?.focus({ preventScroll: true });
  return true;
}

/** Clicks a button of the focused message. */
export function press(selector: string): boolean {
  const button = focused()?.querySelector<HTMLElement>(selector);
  button?.click();
  return button !== null && button !== undefined;
}

/** The link of the focused conversation, or to the conversation of the focused message. */
export function focusedLink(): HTMLAnchorElement | null {
  const item = focused();
  return item instanceof HTMLAnchorElement ? item : (item?.querySelector('.head > a') ?? null);
}

/** The focused conversation, or else the open one; may be a channel. */
export const placeAtHand = () => placeIn(focusedLink()?.pathname ?? path.value);

/** Links of the navigation to conversations, or only to channels, in order. */
function lines(areChannels: boolean): HTMLAnchorElement[] {
  return [...document.querySelectorAll<HTMLAnchorElement>('body > nav a')].filter(({ pathname }) => {
    const place = placeIn(pathname);
    return place !== null && (!areChannels || hrefOf(place) === `${ROOT}/channels/${channelOf(pathname)}`);
  });
}

const channelOf = (address: string) => /\/channels\/(\d+)/.exec(address)?.[1];

/** Opens the link a number of steps away from an index, wrapping around. */
function follow(all: readonly HTMLAnchorElement[], at: number, by: number): boolean {
  const start = at === -1 && by < 0 ? 0 : at;
  const goal = all[(start + by + all.length) % all.length];
  if (goal) navigate(goal.pathname);
  return goal !== undefined;
}

/** Opens the next or previous channel of the navigation. */
export function stepChannel(by: 1 | -1): boolean {
  const all = lines(true);
  return follow(
    all,
    all.findIndex(({ pathname }) => channelOf(pathname) === channelOf(path.value)),
    by,
  );
}

/** Opens the next or previous conversation of the navigation, optionally skipping those without unread messages. */
export function stepConversation(by: 1 | -1, isUnread: boolean): boolean {
  const isHere = (each: Element) => each.getAttribute('aria-current') === 'page';
  const all = lines(false).filter((each) => !isUnread || isHere(each) || each.querySelector('.count'));
  return follow(all, all.findIndex(isHere), by);
}

/** Regions of the page, and the elements to focus in each. */
const REGIONS = [
  ['body > nav', ['a[aria-current]', 'summary', 'a']],
  ['main', ['.log', 'a, button, input, select']],
  ['.composer', ['textarea']],
  ['.status', ['button']],
] as const;

/** Focuses the next or previous region of the page. */
export function stepRegion(by: 1 | -1): boolean {
  const shown = REGIONS.flatMap(([selector, goals]) => {
    const region = document.querySelector(selector);
    const found = goals.flatMap((each) => [...(region?.querySelectorAll<HTMLElement>(each) ?? [])]);
    const goal = found.find((each) => each.checkVisibility({ visibilityProperty: true }));
    return region && goal ? [{ region, goal }] : [];
  });
  const now = shown.findLastIndex(({ region }) => region.contains(document.activeElement));
  const start = now === -1 && by < 0 ? 0 : now;
  shown[(start + by + shown.length) % shown.length]?.goal.focus();
  return true;
}
