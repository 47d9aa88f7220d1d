import type { ChangePart, Json, LevelContext, RecordKind } from './level-change';

/** Keys of answers and events that contain records of each kind, single or in lists. */
const PLACES: Readonly<Record<RecordKind, readonly string[]>> = {
  channel: ['streams', 'stream', 'subscriptions', 'unsubscribed', 'never_subscribed'],
  user: ['realm_users', 'realm_non_active_users', 'cross_realm_bots', 'members', 'user', 'person'],
  group: ['realm_user_groups', 'user_groups', 'group'],
  message: ['messages', 'message'],
  'personal settings': ['user_settings', 'realm_user_settings_defaults'],
  linkifier: ['realm_linkifiers', 'linkifiers'],
  'profile field': ['custom_profile_fields', 'custom_fields', 'fields'],
  attachment: ['attachments', 'attachment', 'detached_uploads'],
  'channel folder': ['channel_folders', 'channel_folder'],
  bot: ['realm_bots', 'bot'],
  invitation: ['invites'],
};

/** Records of a kind in an answer or event. */
export function recordsIn(holder: Json, kind: RecordKind): Json[] {
  return PLACES[kind].flatMap((key) => {
    const value = holder[key];
    return (Array.isArray(value) ? value : [value]).filter(isObject);
  });
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys with the HTML of a message, in messages and events. */
const HTML_KEYS = ['rendered_content', 'orig_rendered_content', 'prev_rendered_content'];

/** Changes the HTML of messages, wherever it occurs in an answer or event. */
export async function changeHtml(
  holder: Json,
  change: (html: string) => string | Promise<string>,
): Promise<void> {
  for (const record of [holder, ...recordsIn(holder, 'message'), ...historyIn(holder)]) {
    const isRendered = record['content_type'] === 'text/html';
    for (const key of isRendered ? ['content', ...HTML_KEYS] : HTML_KEYS) {
      const html = record[key];
      if (typeof html === 'string') record[key] = await change(html);
    }
  }
  // The answer to `POST /messages/render`.
  if (typeof holder['rendered'] === 'string') holder['rendered'] = await change(holder['rendered']);
}

function historyIn(holder: Json): Json[] {
  const history = holder['message_history'];
  return Array.isArray(history) ? history.filter(isObject) : [];
}

/** An event about people without deactivated ones; null if no one is left. */
export function activeAmong(event: Json, context: LevelContext): Json | null {
  const isActive = (id: number) => context.account(id)?.is_active !== false;
  const active = (event['user_ids'] as number[]).filter(isActive);
  return active.length === 0 ? null : { ...event, ['user_ids']: active };
}

/** Parses JSON; null if it is invalid. */
export function parsed(text = 'null'): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

type Routes = string | readonly string[];

const PROFILE_FIELD_CHANGES = ['POST /realm/profile_fields', 'PATCH /realm/profile_fields/{field_id}'];
const LINKIFIER_CHANGES = ['POST /realm/filters', 'PATCH /realm/filters/{filter_id}'];

/** Requests that create invitations. */
export const INVITATIONS = ['POST /invites', 'POST /invites/multiuse'];

/** Marks keys that records of a kind did not have. */
export function newKeys(kind: RecordKind, ...keys: readonly string[]): ChangePart {
  return { records: { [kind]: (record: Json) => without(record, keys) } };
}

/** Changes the value of a key in records of a kind. Records without the key stay unchanged. */
export function otherValue(kind: RecordKind, key: string, change: (value: unknown) => unknown): ChangePart {
  const changeRecord = (record: Json) => {
    if (key in record) record[key] = change(record[key]);
  };
  return { records: { [kind]: changeRecord } };
}

/** Marks keys that the answer to `POST /register` did not have. */
export function newStateKeys(...keys: readonly string[]): ChangePart {
  return { state: (state) => without(state, keys) };
}

/** Marks keys that the answers of one or more routes did not have. */
export function newAnswerKeys(routes: Routes, ...keys: readonly string[]): ChangePart {
  return { answers: forEach(routes, (answer: Json) => without(answer, keys)) };
}

/** Marks routes that did not exist. */
export function newRoutes(...routes: readonly string[]): ChangePart {
  return { routes };
}

/** Marks parameters that one or more routes did not have. */
export function newParameters(routes: Routes, ...names: readonly string[]): ChangePart {
  return { parameters: forEach(routes, names) };
}

/** Marks keys that profile fields did not have, and that requests could not set. */
export function newProfileFieldKeys(...keys: readonly string[]): ChangePart {
  return { ...newKeys('profile field', ...keys), ...newParameters(PROFILE_FIELD_CHANGES, ...keys) };
}

/** Marks keys that linkifiers did not have, and that requests could not set. */
export function newLinkifierKeys(...keys: readonly string[]): ChangePart {
  return { ...newKeys('linkifier', ...keys), ...newParameters(LINKIFIER_CHANGES, ...keys) };
}

/** Marks a client capability that did not exist. */
export function newCapability(name: string): ChangePart {
  return { capabilities: [name] };
}

/** Marks events that did not exist. @param names types, or types with their `op`, such as `device` or `realm/update` */
export function newEvents(...names: readonly string[]): ChangePart {
  return { event: (event) => (names.some((name) => isNamed(event, name)) ? null : event) };
}

/** Marks a value that a parameter of one or more routes did not accept; it is refused like any unknown one. */
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

/** Deletes keys. */
export function without(record: Json, keys: readonly string[]): void {
  for (const key of keys) delete record[key];
}

/** Whether an event has a type, or a type and `op`. */
export function isNamed(event: Json, name: string): boolean {
  const [type, op] = name.split('/');
  return event['type'] === type && (op === undefined || event['op'] === op);
}

/** The objects in a list; empty if the key has no list. */
export function objectsIn(record: Json, key: string): Json[] {
  const value = record[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The object in a key, or an empty one. */
export function objectIn(record: Json, key: string): Json {
  const value = record[key];
  return isObject(value) ? value : {};
}

/** Export types, by their former numbers. */
const TYPES: Readonly<Record<string, string>> = { 1: 'public', 2: 'full_with_consent' };

/** Changes records of exports, in the list and in events. */
export function exportRecords(change: (record: Json) => void): ChangePart {
  const changeAll = (holder: Json) => objectsIn(holder, 'exports').forEach(change);
  return {
    answers: { 'GET /export/realm': changeAll },
    event: (event) => {
      if (isNamed(event, 'realm_export')) changeAll(event);
      return event;
    },
  };
}

/** Converts the former number of an export type in a request. */
export function exportTypeByNumber(parameters: Map<string, string>): void {
  const sent = parameters.get('export_type');
  if (sent !== undefined) parameters.set('export_type', TYPES[sent] ?? 'unknown');
}

/** Converts an export type in a record to its former number. */
export function exportTypeAsNumber(record: Json): void {
  const number = Object.keys(TYPES).find((key) => TYPES[key] === record['export_type']);
  record['export_type'] = Number(number ?? 3);
}

/** Removes the address visibility from export consents. */
export function consentsWithoutVisibility(answer: Json): void {
  for (const consent of objectsIn(answer, 'export_consents')) delete consent['email_address_visibility'];
}
