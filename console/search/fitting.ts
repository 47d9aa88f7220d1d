/** Ranks a match: 0 at the beginning of the name, 1 at the beginning of a word, 2 elsewhere; -1 for none. */
function rankOf(name: string, text: string): number {
  const at = name.indexOf(text);
  if (at < 0) return -1;
  if (at === 0 || (at === 1 && name.startsWith('#'))) return 0;
  return /[\s#›-]/.test(name[at - 1]!) ? 1 : 2;
}

interface Fitting<T> {
  readonly nameOf: (each: T) => string;
  /** Additional text, such as an email address. Matches of its beginning rank lowest. */
  readonly alsoOf?: (each: T) => string | undefined;
  /** Order within a rank; the original order by default. */
  readonly order?: (one: T, other: T) => number;
}

/** Items whose names match a text, best first. Only these are sorted, because there may be thousands of others. */
export function fitting<T>(
  all: Iterable<T>,
  text: string,
  most: number,
  { nameOf, alsoOf, order }: Fitting<T>,
): T[] {
  const wanted = text.trim().toLowerCase();
  const byRank: T[][] = [[], [], [], []];
  for (const each of all) {
    const rank = rankOf(nameOf(each).toLowerCase(), wanted);
    if (rank >= 0) byRank[rank]!.push(each);
    else if (alsoOf?.(each)?.toLowerCase().startsWith(wanted)) byRank[3]!.push(each);
  }
  return byRank.flatMap((found) => (order ? found.sort(order) : found)).slice(0, most);
}
