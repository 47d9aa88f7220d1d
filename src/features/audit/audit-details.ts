/** What is recorded beside who, what and when. No secrets, no contents of messages, nothing personal. */
export type AuditDetails = Readonly<Record<string, unknown>>;

const MAX_TEXT = 100;
const MAX_ITEMS = 20;
const MAX_DEPTH = 4;

/** Characters of the whole. */
const MAX_DETAILS = 2_000;

/** The details as they are stored: long texts and lists are cut, and what is still too long keeps its names only. */
export function storedDetails(details: AuditDetails): string {
  const text = JSON.stringify(shortened(details, MAX_DEPTH));
  if (text.length <= MAX_DETAILS) return text;
  const names = Object.keys(details).slice(0, MAX_ITEMS);
  return JSON.stringify({ too_long: names.map(shortText) });
}

function shortened(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return shortText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => shortened(item, depth - 1));
    return value.length > MAX_ITEMS ? [...items, `… ${value.length - MAX_ITEMS} more`] : items;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .map(([key, part]) => [shortText(key), shortened(part, depth - 1)]),
  );
}

function shortText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).toWellFormed()}…`;
}

/** The values that differ, each as it was and as it is; null where nothing does. */
export function differences(before: object, after: object): AuditDetails | null {
  const old = before as Readonly<Record<string, unknown>>;
  const changed = Object.entries(after as typeof old).filter(
    ([key, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(old[key]),
  );
  if (changed.length === 0) return null;
  return Object.fromEntries(changed.map(([key, to]) => [key, { from: old[key] ?? null, to }]));
}
