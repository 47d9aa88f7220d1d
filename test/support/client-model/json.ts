/** What the wire says: an object of any shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- events and states are looked at key by key
export type Json = any;

/** Applies events of one type. */
export type Reducer = (event: Json) => void;

/** A client received an event that makes no sense, such as one about an unknown channel. */
export class NotUnderstood extends Error {}

/** Removes and returns an entry of the map. @throws NotUnderstood if it does not exist */
export function required<Key extends number | string, Value>(
  map: ReadonlyMap<Key, Value>,
  id: Key,
  what: string,
): Value {
  const value = map.get(id);
  if (value === undefined) throw new NotUnderstood(`There is no ${what} ${id}.`);
  return value;
}

/** Copies of records by the number in a key. */
export function byId(records: readonly Json[], key: string): Map<number, Json> {
  return new Map(records.map((record) => [record[key] as number, structuredClone(record)]));
}

/** A record without some of its keys. */
export function without(record: Json, ...keys: string[]): Json {
  return Object.fromEntries(Object.entries(record as object).filter(([key]) => !keys.includes(key)));
}

/** Removes a user from the settings of an object that list individual users. */
export function withdraw(settings: Json, userId: number): void {
  for (const value of Object.values<Json>(settings)) {
    if (!Array.isArray(value?.direct_members)) continue;
    value.direct_members = value.direct_members.filter((id: number) => id !== userId);
  }
}
