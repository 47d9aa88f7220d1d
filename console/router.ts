import { computed, signal } from '@preact/signals';

/** Path of the console, with which all of its URLs begin. */
export const ROOT = '/console';

const address = signal(location.pathname + location.search);

/** The path of the current URL. */
export const path = computed(() => address.value.split('?', 1)[0]!.replace(/\/$/, '') || ROOT);

/** The query of the current URL, such as the filter of a list. */
export const query = computed(() => new URLSearchParams(address.value.split('?')[1] ?? ''));

/** Opens a page of the console. */
export function navigate(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search) return;
  const steps = stepsTaken() + (replace ? 0 : 1);
  history[replace ? 'replaceState' : 'pushState']({ steps }, '', to);
  address.value = to;
}

/** Number of console pages before this one in the history. */
const stepsTaken = () => (history.state as { readonly steps: number } | null)?.steps ?? 0;

/** Goes back to the previous page, or to the first one. */
export function goBack(): void {
  if (stepsTaken() > 0) history.back();
  else navigate(ROOT, { replace: true });
}

/** Changes parameters of the query; removes empty ones. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  navigate(path.value + (next.size > 0 ? `?${next}` : ''), { replace: true });
}

/** The parameters of a path that matches a pattern such as `/console/people/:id`; null if it does not match. */
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

/** Segments of dots, even escaped, would change the folder. They, and segments that look escaped, are escaped again. */
const DOTS = /^(\.|%(25)*2E){1,2}$/;

/** Encodes a text as a segment of a URL. */
export function encoded(text: string): string {
  return encodeURIComponent(DOTS.test(text) ? text.replaceAll('%', '%25').replaceAll('.', '%2E') : text);
}

/** Decodes a segment of a URL; returns malformed ones unchanged. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part).replace(DOTS, decodeURIComponent);
  } catch {
    return part;
  }
}

/** Follows links within the console without reloading the page, unless the user wants a new window. */
export function followLinks(): void {
  // Only the script handles forms without a method.
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
