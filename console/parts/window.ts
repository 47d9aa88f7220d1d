import { signal } from '@preact/signals';

const narrow = matchMedia('(width < 60rem)');

/** Whether the window is too narrow for lists next to a page, as in the style sheet. */
export const isNarrow = signal(narrow.matches);

narrow.addEventListener('change', ({ matches }) => (isNarrow.value = matches));
