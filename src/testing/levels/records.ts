import type { Json, LevelContext, RecordKind } from './level-change';

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
export function changeHtml(holder: Json, change: (html: string) => string): void {
  for (const record of [holder, ...recordsIn(holder, 'message'), ...historyIn(holder)]) {
    const isRendered = record['content_type'] === 'text/html';
    for (const key of isRendered ? ['content', ...HTML_KEYS] : HTML_KEYS) {
      const html = record[key];
      if (typeof html === 'string') record[key] = change(html);
    }
  }
  // What `POST /messages/render` answers.
  if (typeof holder['rendered'] === 'string') holder['rendered'] = change(holder['rendered']);
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
