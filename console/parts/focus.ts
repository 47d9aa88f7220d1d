/** A current or former position of the focus: an element, with the siblings of itself and of each ancestor. */
interface Place {
  readonly element: HTMLElement;
  /** From the element outwards, each with all children of its parent at that time. */
  readonly line: readonly { readonly node: Element; readonly siblings: readonly Element[] }[];
}

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex]';
const LAYER = 'dialog, [popover]';

/** How long a focused control may be disabled before its neighbor gets the focus; most requests finish earlier. */
const PATIENCE_MS = 2000;

function placeOf(element: HTMLElement): Place {
  const line = [];
  for (let node: Element = element; node.parentElement; node = node.parentElement) {
    line.push({ node, siblings: [...node.parentElement.children] });
  }
  return { element, line };
}

const focusablesIn = (node: Element): HTMLElement[] =>
  [...(node.matches(FOCUSABLE) ? [node] : []), ...node.querySelectorAll(FOCUSABLE)].filter(
    (each): each is HTMLElement => each.closest(LAYER) === node.closest(LAYER),
  );

const isDisabled = (element: HTMLElement): boolean => element.matches(':disabled');

/** The same control in the next or previous row, or else the nearest control outside the list. */
function neighborOf({ element, line }: Place): HTMLElement | undefined {
  const lost = line.findIndex(({ node }) => node.isConnected) - 1;
  const isSame = (other: HTMLElement) => other.tagName === element.tagName;
  for (const [level, { node, siblings }] of line.entries()) {
    if (level < lost) continue;
    // The rest of the page has changed as well.
    if (node.matches('main, body')) break;
    const at = siblings.indexOf(node);
    const index = level === lost ? focusablesIn(node).indexOf(element) : -1;
    for (const sibling of [...siblings.slice(at + 1), ...siblings.slice(0, at).reverse()]) {
      if (!sibling.isConnected) continue;
      const all = focusablesIn(sibling).filter((each) => each.checkVisibility());
      const same = index >= 0 && all[index] && isSame(all[index]) ? all[index] : all.filter(isSame).at(-1);
      const found = (level === lost && same) || all.find((each) => !isDisabled(each));
      if (found) return found;
    }
  }
  return document.querySelector<HTMLElement>('main h1') ?? undefined;
}

/**
 * Keeps the focus on the page when the focused element is removed or disabled; otherwise users of keyboards and screen
 * readers would have to start at the top. Does not interfere when the user moves the focus.
 */
export function keepFocus(): void {
  let onPage: Place | null = null;
  let inLayer: Place | null = null;
  let isWaiting = false;
  let impatience: ReturnType<typeof setTimeout> | undefined;
  const note = (element: HTMLElement) => {
    clearTimeout(impatience);
    impatience = undefined;
    if (element.closest(LAYER)) inLayer = placeOf(element);
    else [onPage, inLayer] = [placeOf(element), null];
  };
  const lost = () =>
    inLayer?.line.some(({ node }) => node.matches(LAYER) && node.isConnected) ? inLayer : onPage;
  const move = (place: Place) => {
    const next = neighborOf(place);
    if (!next) return;
    note(next);
    next.focus({ preventScroll: true });
  };
  const look = () => {
    isWaiting = false;
    const place = lost();
    if (document.activeElement !== document.body || !place) return;
    const { element } = place;
    if (!element.isConnected) return move(place);
    if (!isDisabled(element)) return element.focus({ preventScroll: true });
    impatience ??= setTimeout(() => document.activeElement === document.body && move(place), PATIENCE_MS);
  };
  addEventListener('focusin', ({ target }) => note(target as HTMLElement));
  addEventListener('focusout', ({ target }) =>
    // If the element is removed at the same moment, the user has not moved the focus.
    setTimeout(() => {
      const element = target as HTMLElement;
      if (document.activeElement !== document.body || !element.isConnected || isDisabled(element)) return;
      onPage = inLayer = null;
    }),
  );
  new MutationObserver(() => {
    if (isWaiting || document.activeElement !== document.body || !lost()) return;
    isWaiting = true;
    // Pages focus their heading first.
    requestAnimationFrame(() => setTimeout(look));
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}
