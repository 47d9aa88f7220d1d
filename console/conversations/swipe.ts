import { isFromRight } from '../parts/direction';
import { isPhone } from '../parts/window';
import { goBack } from '../router';

/** Minimum horizontal and maximum vertical distance, in pixels. */
const FAR = 80;
const ASIDE = 50;
const LONGEST_MS = 700;
/** Swipes from the edge belong to the browser. */
const EDGE = 20;

/** Whether an element or one of its ancestors scrolls horizontally. */
function scrolls(element: Element | null): boolean {
  for (let each = element; each && !each.matches('.conversation'); each = each.parentElement) {
    if (each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX !== 'visible')
      return true;
  }
  return false;
}

/** Start of the touch. */
let start: { readonly x: number; readonly y: number; readonly at: number } | null = null;

/** Goes back on a swipe towards the end of the line, in windows filled by a conversation. */
export const swipeBack = {
  onTouchStart({ touches, target, timeStamp: at }: TouchEvent): void {
    const [{ clientX: x, clientY: y }] = touches as unknown as [Touch];
    const fromEdge = isFromRight() ? innerWidth - x : x;
    const isMeant = touches.length === 1 && fromEdge > EDGE && isPhone.value;
    start = isMeant && !scrolls(target as Element) ? { x, y, at } : null;
  },
  onTouchEnd({ changedTouches, timeStamp }: TouchEvent): void {
    const [{ clientX: x, clientY: y }] = changedTouches as unknown as [Touch];
    const sign = isFromRight() ? -1 : 1;
    const isSwipe =
      start &&
      sign * (x - start.x) > FAR &&
      Math.abs(y - start.y) < ASIDE &&
      timeStamp - start.at < LONGEST_MS;
    start = null;
    if (isSwipe) goBack();
  },
};
