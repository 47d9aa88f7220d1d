/** Whether a value is an object with keys, not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The names of an object's own properties; for objects without properties beyond their type. */
export function keysOf<Of extends object>(of: Of): (keyof Of & string)[] {
  return Object.keys(of) as (keyof Of & string)[];
}

/** An object with a value for each of the keys. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  valueOf: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<Key, Value>;
}

/** Adds an item to the group of its key, and creates the group if needed. */
export function addTo<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}

/** Adds an item to the set under its key, creating the set if needed. */
export function addToSet<Key, Item>(groups: Map<Key, Set<Item>>, key: Key, item: Item): void {
  const group = groups.get(key);
  if (group) group.add(item);
  else groups.set(key, new Set([item]));
}

/** Groups items by key; keys keep the order of their first occurrence. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

/** Splits a list into chunks of a size; the last may be smaller. An empty list yields none. */
export function* chunksOf<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/**
 * Groups people whose lists are equal, so that each distinct list is processed once.
 * @param keyOf identifies an item of a list
 */
export function groupByList<Item>(
  lists: ReadonlyMap<number, readonly Item[]>,
  keyOf: (item: Item) => string | number,
): { readonly userIds: number[]; readonly items: readonly Item[] }[] {
  const groups = new Map<string, { userIds: number[]; items: readonly Item[] }>();
  for (const [userId, items] of lists) {
    const key = items.map(keyOf).join();
    const group = groups.get(key);
    if (group) group.userIds.push(userId);
    else groups.set(key, { userIds: [userId], items });
  }
  return [...groups.values()];
}

/** The distinct numbers in ascending order. */
export function ascending(numbers: Iterable<number>): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** IDs that are not among the others, ascending. */
export function idsWithout(ids: ReadonlySet<number>, others: ReadonlySet<number>): number[] {
  return ascending(ids).filter((id) => !others.has(id));
}
