import { signal, type ReadonlySignal } from '@preact/signals';

/** Whether the window fits a media query. */
function fits(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const now = signal(list.matches);
  list.addEventListener('change', ({ matches }) => (now.value = matches));
  return now;
}

/** Whether the window is that of a phone; menus are sheets at its bottom. The style sheet has the same widths. */
export const isPhone = fits('(width < 40rem)');

/** Whether the window is too narrow for lists next to a page. */
export const isNarrow = fits('(width < 60rem)');

/** Whether the window is wide enough for details next to a conversation. */
export const isWide = fits('(width >= 75rem)');
