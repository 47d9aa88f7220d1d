import { fetches, requests, requestType } from './client-memory';
import { isNamed, objectIn } from './records';
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

/**
 * Personal settings by the type of their former event, with its key for the name, and former extra keys of the state.
 */
const KINDS = [
  {
    type: 'update_display_settings',
    nameKey: 'setting_name',
    settings: DISPLAY,
    beside: ['emojiset_choices'],
  },
  {
    type: 'update_global_notifications',
    nameKey: 'notification_name',
    settings: NOTIFICATION,
    beside: ['available_notification_sounds'],
  },
] as const;

const SETTINGS = 'user_settings';
const OBJECT = 'user_settings_object';

/**
 * Sends separate events for display settings and notification settings, unless clients declare `user_settings_object`.
 */
export function formerSettingsEvents(): ChangePart {
  return { asks: { 'POST /register': requestSettings }, moreEvents: formerEvents };
}

/** Adds the settings at the top level of the state. Apply it after the settings have the form of the release. */
export function formerSettingsState(): ChangePart {
  const state = (told: Json, { client }: LevelContext) => {
    const settings = objectIn(told, SETTINGS);
    for (const { type, settings: names, beside } of KINDS) {
      if (client?.capabilities.has(OBJECT) || !fetches(client, type)) continue;
      for (const name of [...names, ...beside]) if (name in settings) told[name] = settings[name];
    }
    if (!fetches(client, SETTINGS)) delete told[SETTINGS];
  };
  return { state };
}

/** The former events are derived from `user_settings`, so the client must receive it. */
function requestSettings(parameters: Map<string, string>, { client }: LevelContext): void {
  if (!client) return;
  const { eventTypes, fetchTypes } = client;
  if (KINDS.some(({ type }) => eventTypes?.has(type))) requestType(parameters, 'event_types', SETTINGS);
  if (KINDS.some(({ type }) => fetchTypes?.has(type))) requestType(parameters, 'fetch_event_types', SETTINGS);
}

function formerEvents(event: Json, context: LevelContext): Json[] {
  const { asker, client } = context;
  const name = String(event['property']);
  const kind = KINDS.find(({ settings }) => settings.includes(name));
  const hasFormer = isNamed(event, 'user_settings/update') && !client?.capabilities.has(OBJECT);
  if (!hasFormer || !kind || asker === null || !requests(client, kind.type)) return [];
  const { op: _op, property: _property, value: setting, ...rest } = event;
  return [{ ...rest, type: kind.type, user: context.account(asker)?.email, [kind.nameKey]: name, setting }];
}
