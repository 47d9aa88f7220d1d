import { isNamed } from './keys';
import type { ChangePart, Json, LevelContext } from './level-change';

const DISPLAY = [
  'color_scheme',
  'default_language',
  'demote_inactive_streams',
  'dense_mode',
  'emojiset',
  'enable_drafts_synchronization',
  'enter_sends',
  'fluid_layout_width',
  'high_contrast_mode',
  'left_side_userlist',
  'starred_message_counts',
  'timezone',
  'translate_emoticons',
  'twenty_four_hour_time',
  'web_home_view',
];

const NOTIFICATION = [
  'desktop_icon_count_display',
  'email_notifications_batching_period_seconds',
  'enable_desktop_notifications',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'enable_offline_email_notifications',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_sounds',
  'enable_stream_audible_notifications',
  'enable_stream_desktop_notifications',
  'enable_stream_email_notifications',
  'enable_stream_push_notifications',
  'message_content_in_email_notifications',
  'notification_sound',
  'pm_content_in_desktop_notifications',
  'presence_enabled',
  'realm_name_in_email_notifications_policy',
  'wildcard_mentions_notify',
];

/** Personal settings by the type of their former event, and the key in which it named them. */
const KINDS = [
  { type: 'update_display_settings', nameKey: 'setting_name', settings: DISPLAY },
  { type: 'update_global_notifications', nameKey: 'notification_name', settings: NOTIFICATION },
] as const;

const SETTINGS = 'user_settings';

/** Events of one type for display settings and one for notification settings, unless clients declare `user_settings_object`. */
export function formerSettingsEvents(): ChangePart {
  return { asks: { 'POST /register': requestSettings }, event: ifRequested, moreEvents: formerEvents };
}

/** Former events are derived from `user_settings`, which the queue therefore has to get. */
function requestSettings(parameters: Map<string, string>, { client }: LevelContext): void {
  const types = client?.eventTypes;
  if (!types || types.has(SETTINGS) || !KINDS.some(({ type }) => types.has(type))) return;
  if (!parameters.has('fetch_event_types')) parameters.set('fetch_event_types', JSON.stringify([...types]));
  parameters.set('event_types', JSON.stringify([...types, SETTINGS]));
}

function ifRequested(event: Json, context: LevelContext): Json | null {
  return event['type'] !== SETTINGS || requests(context, SETTINGS) ? event : null;
}

function formerEvents(event: Json, context: LevelContext): Json[] {
  const name = String(event['property']);
  const kind = KINDS.find(({ settings }) => settings.includes(name));
  const hasFormer =
    isNamed(event, 'user_settings/update') && !context.client?.capabilities.has('user_settings_object');
  if (!hasFormer || !kind || context.asker === null || !requests(context, kind.type)) return [];
  const { op: _op, property: _property, value: setting, ...rest } = event;
  const user = context.account(context.asker)?.email;
  return [{ ...rest, type: kind.type, user, [kind.nameKey]: name, setting }];
}

function requests({ client }: LevelContext, type: string): boolean {
  return client?.eventTypes?.has(type) ?? true;
}
