/** How well a name fits: 0 begins with the text, 1 has a word that does, 2 has it inside; -1 not at all. */
function rankOf(name: string, text: string): number {
  const at = name.indexOf(text);
  if (at < 0) return -1;
  if (at === 0 || (at === 1 && name.startsWith('#'))) return 0;
  return /[\s#›-]/.test(name[at - 1]!) ? 1 : 2;
}

interface Fitting<T> {
  readonly nameOf: (each: T) => string;
  /** Other text that may begin with what is sought, such as an email address; it counts least. */
  readonly alsoOf?: (each: T) => string | undefined;
  /** How those are ordered that fit equally well; as they come, if it is not given. */
  readonly order?: (one: T, other: T) => number;
}

/** Those whose names fit a text, the best first. Only these are ordered: there may be thousands of others. */
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
