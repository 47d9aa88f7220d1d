import type { ChangePart, Json, LevelContext, RecordKind } from './level-change';

/** Under which keys of answers and events the records of each kind stand, alone or in lists. */
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

/** Keys of messages and events that hold the HTML of a message. */
const HTML_KEYS = ['rendered_content', 'orig_rendered_content', 'prev_rendered_content'];

/** Changes the HTML of messages, wherever it stands in an answer or event. */
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
  // What `POST /messages/render` answers.
  if (typeof holder['rendered'] === 'string') holder['rendered'] = await change(holder['rendered']);
}

function historyIn(holder: Json): Json[] {
  const history = holder['message_history'];
  return Array.isArray(history) ? history.filter(isObject) : [];
}

/** An event about people without those of them who are deactivated; null where nobody else is in it. */
export function activeAmong(event: Json, context: LevelContext): Json | null {
  const isActive = (id: number) => context.account(id)?.is_active !== false;
  const active = (event['user_ids'] as number[]).filter(isActive);
  return active.length === 0 ? null : { ...event, ['user_ids']: active };
}

/** What JSON says; null for what is none. */
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

/** What archives of the organization hold, by the numbers that stood for the words. */
const TYPES: Readonly<Record<string, string>> = { 1: 'public', 2: 'full_with_consent' };

/** Records of exports were different, in the list and in events. */
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

/** Requests named what the archive holds by a number. */
export function exportTypeByNumber(parameters: Map<string, string>): void {
  const sent = parameters.get('export_type');
  if (sent !== undefined) parameters.set('export_type', TYPES[sent] ?? 'unknown');
}

/** Records named it so, too. */
export function exportTypeAsNumber(record: Json): void {
  const number = Object.keys(TYPES).find((key) => TYPES[key] === record['export_type']);
  record['export_type'] = Number(number ?? 3);
}

/** Consents came without who sees the address. */
export function consentsWithoutVisibility(answer: Json): void {
  for (const consent of objectsIn(answer, 'export_consents')) delete consent['email_address_visibility'];
}
