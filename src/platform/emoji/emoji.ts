import table from './emoji-table.json';

/**
 * The Unicode emoji of messages and reactions, by code and by name.
 *
 * A code is the lower-case hex of the code points joined by `-`, at least four digits each, without the variation
 * selector fe0f. A code has one canonical name and any number of aliases; a name belongs to exactly one code. The names
 * are those that clients of the interface send and show, and every alias that they complete.
 */
const namesByCode = new Map<string, readonly string[]>();
const codesByName = new Map<string, string>();

for (const [code, ...names] of table as [string, ...string[]][]) {
  namesByCode.set(code, names);
  for (const name of names) codesByName.set(name, code);
}

/** The code of a canonical name or an alias. */
export function codeOf(name: string): string | undefined {
  return codesByName.get(name);
}

/** Whether a Unicode emoji has this name; custom emoji are not among them. */
export function isEmojiName(name: string): boolean {
  return codesByName.has(name);
}

/** The canonical name of an emoji; undefined if the code is unknown. */
export function canonicalName(code: string): string | undefined {
  return namesByCode.get(code)?.[0];
}

/** Every name of a code, the canonical one first; empty if the code is unknown. */
export function allNames(code: string): readonly string[] {
  return namesByCode.get(code) ?? [];
}

/** Every Unicode emoji: the names of each code, the canonical one first. */
export function namesOfAllCodes(): ReadonlyMap<string, readonly string[]> {
  return namesByCode;
}

/** The emoji that every client knows although Unicode does not contain them; the name is also the code. */
export const EXTRA_EMOJI = {
  name: 'zulip',
  url: '/static/generated/emoji/images/emoji/unicode/zulip.png',
} as const;
