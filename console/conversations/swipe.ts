import { goBack } from '../router';

/** So far to the right, and no further up or down than this, in pixels. */
const FAR = 80;
const ASIDE = 50;
const LONGEST_MS = 700;
/** What begins at the very edge is meant for the browser. */
const EDGE = 20;

/** Whether something around an element scrolls to the side. */
function scrolls(element: Element | null): boolean {
  for (let each = element; each && !each.matches('.conversation'); each = each.parentElement) {
    if (each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX !== 'visible')
      return true;
  }
  return false;
}

/** Where a finger was put down, and when. */
let start: { readonly x: number; readonly y: number; readonly at: number } | null = null;

/** Leads back when a finger is drawn to the right, where a conversation fills the window. */
export const swipeBack = {
  onTouchStart({ touches, target, timeStamp: at }: TouchEvent): void {
    const [{ clientX: x, clientY: y }] = touches as unknown as [Touch];
    const isMeant = touches.length === 1 && x > EDGE && matchMedia('(width < 40rem)').matches;
    start = isMeant && !scrolls(target as Element) ? { x, y, at } : null;
  },
  onTouchEnd({ changedTouches, timeStamp }: TouchEvent): void {
    const [{ clientX: x, clientY: y }] = changedTouches as unknown as [Touch];
    const isSwipe =
      start && x - start.x > FAR && Math.abs(y - start.y) < ASIDE && timeStamp - start.at < LONGEST_MS;
    start = null;
    if (isSwipe) goBack();
  },
};
