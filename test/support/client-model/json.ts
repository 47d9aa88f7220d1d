/** What the wire says: an object of any shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- events and states are looked at key by key
export type Json = any;

/** What a client does with events of one type. */
export type Reducer = (event: Json) => void;

/** A client got something that it cannot make sense of, such as news of a channel that it was never told of. */
export class NotUnderstood extends Error {}

/** Takes the entry out of the map. @throws NotUnderstood when there is none */
export function required<Key extends number | string, Value>(
  map: ReadonlyMap<Key, Value>,
  id: Key,
  what: string,
): Value {
  const value = map.get(id);
  if (value === undefined) throw new NotUnderstood(`There is no ${what} ${id}.`);
  return value;
}

/** Copies of records under the number that the key holds. */
export function byId(records: readonly Json[], key: string): Map<number, Json> {
  return new Map(records.map((record) => [record[key] as number, structuredClone(record)]));
}

/** A record without some of its keys. */
export function without(record: Json, ...keys: string[]): Json {
  return Object.fromEntries(Object.entries(record as object).filter(([key]) => !keys.includes(key)));
}

/** Takes a person out of the settings of an object that name people one by one. */
export function withdraw(settings: Json, userId: number): void {
  for (const value of Object.values<Json>(settings)) {
    if (!Array.isArray(value?.direct_members)) continue;
    value.direct_members = value.direct_members.filter((id: number) => id !== userId);
  }
}
