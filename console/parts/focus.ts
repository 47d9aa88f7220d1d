/** Where the focus is, or was: an element, and what stood beside it and beside each of its ancestors. */
interface Place {
  readonly element: HTMLElement;
  /** From the element outwards, with the children that each one's parent had. */
  readonly line: readonly { readonly node: Element; readonly siblings: readonly Element[] }[];
}

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex]';
const LAYER = 'dialog, [popover]';

/** How long a control that has the focus may be disabled before its neighbor takes over: requests are answered by then. */
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

/** The same control of the next row, of the one before it, or else what is nearest outside the list. */
function neighborOf({ element, line }: Place): HTMLElement | undefined {
  const lost = line.findIndex(({ node }) => node.isConnected) - 1;
  const isSame = (other: HTMLElement) => other.tagName === element.tagName;
  for (const [level, { node, siblings }] of line.entries()) {
    if (level < lost) continue;
    // What is left of the page then is another page.
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
 * Keeps the focus on the page where what has it is removed, or disabled: people who use keys, or a screen reader, would
 * begin at the top again. What one leaves on purpose is left.
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
    // What is removed in the same breath is not left on purpose.
    setTimeout(() => {
      const element = target as HTMLElement;
      if (document.activeElement !== document.body || !element.isConnected || isDisabled(element)) return;
      onPage = inLayer = null;
    }),
  );
  new MutationObserver(() => {
    if (isWaiting || document.activeElement !== document.body || !lost()) return;
    isWaiting = true;
    // Pages give the focus to their heading first.
    requestAnimationFrame(() => setTimeout(look));
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}
