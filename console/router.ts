import { computed, signal } from '@preact/signals';

/** Where the console is; the addresses of its pages begin with it. */
export const ROOT = '/console';

const address = signal(location.pathname + location.search);

/** The address of the page, its query left out. */
export const path = computed(() => address.value.split('?', 1)[0]!.replace(/\/$/, '') || ROOT);

/** What the query of the address says, such as the filter of a list. */
export const query = computed(() => new URLSearchParams(address.value.split('?')[1] ?? ''));

/** Goes to a page of the console. */
export function navigate(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search) return;
  const steps = stepsTaken() + (replace ? 0 : 1);
  history[replace ? 'replaceState' : 'pushState']({ steps }, '', to);
  address.value = to;
}

/** How many pages of the console one has come from, one after the other. */
const stepsTaken = () => (history.state as { readonly steps: number } | null)?.steps ?? 0;

/** Leads to the page that one has come from, or to the first one. */
export function goBack(): void {
  if (stepsTaken() > 0) history.back();
  else navigate(ROOT, { replace: true });
}

/** Changes parts of the query, and nothing else of the page; what is empty is left out. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  navigate(path.value + (next.size > 0 ? `?${next}` : ''), { replace: true });
}

/** The parts of a path that a pattern such as `/console/people/:id` names; null if the path is another one. */
export function matchPath(pattern: string, given: string): Record<string, string> | null {
  const names = pattern.split('/');
  const parts = given.split('/');
  if (names.length !== parts.length) return null;
  const found: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const part = parts[index]!;
    if (name.startsWith(':')) found[name.slice(1)] = decoded(part);
    else if (name !== part) return null;
  }
  return found;
}

/** Dots alone would lead to another folder, escaped too: such a part is escaped once more, and so is what reads like that. */
const DOTS = /^(\.|%(25)*2E){1,2}$/;

/** A text as a part of an address. */
export function encoded(text: string): string {
  return encodeURIComponent(DOTS.test(text) ? text.replaceAll('%', '%25').replaceAll('.', '%2E') : text);
}

/** A part of an address as it was meant; as it is, where it cannot be read. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part).replace(DOTS, decodeURIComponent);
  } catch {
    return part;
  }
}

/** Follows links within the console without loading the page anew, as long as nothing else was asked for. */
export function followLinks(): void {
  // Forms that do not say how they are sent are for the program alone.
  addEventListener('submit', (event) => {
    if ((event.target as HTMLFormElement).method !== 'post') event.preventDefault();
  });
  addEventListener('popstate', () => (address.value = location.pathname + location.search));
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a');
    const isPlain =
      event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download')) return;
    const isOurs =
      link.origin === location.origin && (link.pathname === ROOT || link.pathname.startsWith(`${ROOT}/`));
    if (!isOurs || link.hash) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}
