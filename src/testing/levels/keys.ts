import type { ChangePart, Json, RecordKind } from './level-change';
import { isObject } from './records';

type Routes = string | readonly string[];

const PROFILE_FIELD_CHANGES = ['POST /realm/profile_fields', 'PATCH /realm/profile_fields/{field_id}'];
const LINKIFIER_CHANGES = ['POST /realm/filters', 'PATCH /realm/filters/{filter_id}'];

/** Requests that invite people. */
export const INVITATIONS = ['POST /invites', 'POST /invites/multiuse'];

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

/** The answers of a route, or of several, did not have these keys. */
export function newAnswerKeys(routes: Routes, ...keys: readonly string[]): ChangePart {
  return { answers: forEach(routes, (answer: Json) => without(answer, keys)) };
}

/** There were no such routes. */
export function newRoutes(...routes: readonly string[]): ChangePart {
  return { routes };
}

/** A route, or several, did not know these parameters. */
export function newParameters(routes: Routes, ...names: readonly string[]): ChangePart {
  return { parameters: forEach(routes, names) };
}

/** Profile fields did not have these keys, and requests could not set them. */
export function newProfileFieldKeys(...keys: readonly string[]): ChangePart {
  return { ...newKeys('profile field', ...keys), ...newParameters(PROFILE_FIELD_CHANGES, ...keys) };
}

/** Linkifiers did not have these keys, and requests could not set them. */
export function newLinkifierKeys(...keys: readonly string[]): ChangePart {
  return { ...newKeys('linkifier', ...keys), ...newParameters(LINKIFIER_CHANGES, ...keys) };
}

/** Clients could not declare this capability. */
export function newCapability(name: string): ChangePart {
  return { capabilities: [name] };
}

/** Events of these types were not sent. @param names types, or types with their `op`, such as `device` or `realm/update` */
export function newEvents(...names: readonly string[]): ChangePart {
  return { event: (event) => (names.some((name) => isNamed(event, name)) ? null : event) };
}

/** A parameter of a route, or of several, did not take a value, which is refused like any unknown one. */
export function newParameterValue(routes: Routes, name: string, value: string): ChangePart {
  const ask = (parameters: Map<string, string>) => {
    const sent = parameters.get(name);
    if (sent === value || sent === JSON.stringify(value)) parameters.set(name, `unknown ${value}`);
  };
  return { asks: forEach(routes, ask) };
}

function forEach<T>(routes: Routes, value: T): Record<string, T> {
  return Object.fromEntries([routes].flat().map((route: string) => [route, value]));
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
