import type { State } from './known';
import type { ServerEvent } from './records';

/** What an event changes of the state. */
export type Reducer = (state: State, event: ServerEvent) => Partial<State>;

/** The map with one entry more, changed or (without a value) less. */
export function changed<K, V>(map: ReadonlyMap<K, V>, key: K, value: V | undefined): Map<K, V> {
  const copy = new Map(map);
  if (value === undefined) copy.delete(key);
  else copy.set(key, value);
  return copy;
}

/** The map with something changed in one of its records; the same map where there is no such record. */
export function merged<V extends object>(
  map: ReadonlyMap<number, V>,
  id: number,
  change: (record: V) => Partial<V>,
): ReadonlyMap<number, V> {
  const record = map.get(id);
  return record ? changed(map, id, { ...record, ...change(record) }) : map;
}
