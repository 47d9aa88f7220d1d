/** The names of an object's own properties; for objects that have no others than their type says. */
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

/** Puts an item into the group of its key, which is made with its first item. */
export function addTo<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}

/** Puts items that have the same key together, keys in the order in which they first occur. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

/** Cuts a list into pieces of a size; the last one may be smaller. An empty list has none. */
export function* chunksOf<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/**
 * Puts people together whose lists are alike, so that what is done about a list is done once for all of them.
 * @param keyOf what tells the items of a list apart
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

/** Numbers in ascending order, each once. */
export function ascending(numbers: Iterable<number>): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** IDs that are not among the others, ascending. */
export function idsWithout(ids: ReadonlySet<number>, others: ReadonlySet<number>): number[] {
  return ascending(ids).filter((id) => !others.has(id));
}
