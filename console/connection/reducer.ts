import type { State } from './known';
import type { ServerEvent } from './records';

/** Returns the parts of the state that an event changes. */
export type Reducer = (state: State, event: ServerEvent) => Partial<State>;

/** Sets an entry in a copy of the map; deletes it if there is no value. */
export function changed<K, V>(map: ReadonlyMap<K, V>, key: K, value: V | undefined): Map<K, V> {
  const copy = new Map(map);
  if (value === undefined) copy.delete(key);
  else copy.set(key, value);
  return copy;
}

/** Changes a record in a copy of the map; returns the same map if there is no such record. */
export function merged<V extends object>(
  map: ReadonlyMap<number, V>,
  id: number,
  change: (record: V) => Partial<V>,
): ReadonlyMap<number, V> {
  const record = map.get(id);
  return record ? changed(map, id, { ...record, ...change(record) }) : map;
}
