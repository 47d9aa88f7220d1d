import type { ChangePart, Json, RecordKind } from './level-change';
import { isObject } from './records';

/** Records of a kind did not have these keys. */
export function newKeys(kind: RecordKind, ...keys: readonly string[]): ChangePart {
  return { records: { [kind]: (record: Json) => without(record, keys) } };
}

/** Records of a kind had something else in a key. Those without the key stay as they are. */
export function otherValue(kind: RecordKind, key: string, change: (value: unknown) => unknown): ChangePart {
  const changeRecord = (record: Json) => {
    if (key in record) record[key] = change(record[key]);
  };
  return { records: { [kind]: changeRecord } };
}

/** The answer to `POST /register` did not have these keys. */
export function newStateKeys(...keys: readonly string[]): ChangePart {
  return { state: (state) => without(state, keys) };
}

/** The answer to a request did not have these keys. */
export function newAnswerKeys(route: string, ...keys: readonly string[]): ChangePart {
  return { answers: { [route]: (answer) => without(answer, keys) } };
}

/** There were no such routes. */
export function newRoutes(...routes: readonly string[]): ChangePart {
  return { routes };
}

/** A route did not know these parameters. */
export function newParameters(route: string, ...names: readonly string[]): ChangePart {
  return { parameters: { [route]: names } };
}

/** Clients could not declare this capability. */
export function newCapability(name: string): ChangePart {
  return { capabilities: [name] };
}

/** Events of these types were not sent. @param names types, or types with their `op`, such as `device` or `realm/update` */
export function newEvents(...names: readonly string[]): ChangePart {
  return { event: (event) => (names.some((name) => isNamed(event, name)) ? null : event) };
}

/** A parameter did not take a value, which is refused for what it is. */
export function newParameterValue(route: string, name: string, value: string): ChangePart {
  const ask = (parameters: Map<string, string>) => {
    const sent = parameters.get(name);
    if (sent === value || sent === JSON.stringify(value)) parameters.set(name, `unknown ${value}`);
  };
  return { asks: { [route]: ask } };
}

/** Takes keys away. */
export function without(record: Json, keys: readonly string[]): void {
  for (const key of keys) delete record[key];
}

/** Whether an event has a type, or a type and `op`. */
export function isNamed(event: Json, name: string): boolean {
  const [type, op] = name.split('/');
  return event['type'] === type && (op === undefined || event['op'] === op);
}

/** The objects of a list in a key; none where there is no list. */
export function objectsIn(record: Json, key: string): Json[] {
  const value = record[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The object in a key, or an empty one. */
export function objectIn(record: Json, key: string): Json {
  const value = record[key];
  return isObject(value) ? value : {};
}
