/**
 * Whether a name matches a pattern with shell wildcards: `*`, `?`, `[abc]`, `[a-z]` and `[!a]`. Time is at most
 * proportional to the length of the pattern times that of the name.
 */
export function fitsPattern(name: string, pattern: string): boolean {
  const parts = partsOf(pattern);
  let at = 0;
  let part = 0;
  /** Where to resume, one character later, if the part after the last `*` does not match. */
  let retry: { readonly part: number; at: number } | null = null;
  while (at < name.length) {
    const wanted = parts[part];
    if (wanted === '*') {
      retry = { part: part + 1, at };
      part += 1;
    } else if (wanted?.(name[at] ?? '')) {
      at += 1;
      part += 1;
    } else if (retry) {
      retry.at += 1;
      at = retry.at;
      part = retry.part;
    } else {
      return false;
    }
  }
  return parts.slice(part).every((left) => left === '*');
}

type Part = '*' | ((character: string) => boolean);

function partsOf(pattern: string): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at]!;
    const end = character === '[' ? pattern.indexOf(']', at + (pattern[at + 1] === '!' ? 3 : 2)) : -1;
    if (character === '*') {
      parts.push('*');
    } else if (character === '?') {
      parts.push(() => true);
    } else if (end > 0) {
      parts.push(oneOfSet(pattern.slice(at + 1, end)));
      at = end;
    } else {
      parts.push((given) => given === character);
    }
  }
  return parts;
}

function oneOfSet(set: string): (character: string) => boolean {
  const isNegated = set.startsWith('!');
  const members = isNegated ? set.slice(1) : set;
  return (character) => isAmong(members, character) !== isNegated;
}

function isAmong(members: string, character: string): boolean {
  for (let at = 0; at < members.length; at += 1) {
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    const first = members[at]!;
    const last = isRange ? members[at + 2]! : first;
    if (character >= first && character <= last) return true;
    if (isRange) at += 2;
  }
  return false;
}

/** Selects events that match one of the patterns in `only`, and none of those in `except`. */
export interface EventFilter {
  readonly only?: readonly string[];
  readonly except?: readonly string[];
}

/** Whether a filter selects an event; events without names always pass. */
export function isWanted(event: string | null, { only, except }: EventFilter): boolean {
  if (event === null) return true;
  if (only && !only.some((pattern) => fitsPattern(event, pattern))) return false;
  return !except?.some((pattern) => fitsPattern(event, pattern));
}
