import { json } from '../../platform/http/parameters/json';
import { oneOf, text } from '../../platform/http/parameters/text';
import type { Decoded, WireType } from '../../platform/http/parameters/wire-type';

/** One personal setting: how it is written, and its value until its owner chooses another. */
export interface PersonalSetting<T> {
  readonly type: WireType<T>;
  readonly initial: T;
}

function flag(initial: boolean): PersonalSetting<boolean> {
  return { type: json.boolean(), initial };
}

/** A number that stands for a choice, from 1 to `last`. */
function choice(initial: number, last: number): PersonalSetting<number> {
  return { type: json.oneOf(Array.from({ length: last }, (_, index) => index + 1)), initial };
}

function number(initial: number, min: number, max: number): PersonalSetting<number> {
  return { type: json.integer({ min, max }), initial };
}

function word<const Word extends string>(initial: Word, others: readonly Word[]): PersonalSetting<Word> {
  return { type: oneOf([initial, ...others]), initial };
}

/** Sets of pictures for emoji beside the first one, with what people call them. Clients bring the pictures. */
const OTHER_EMOJI_SETS = { 'google-blob': 'Google blobs', twitter: 'Twitter', text: 'Plain text' } as const;

/** Sounds that clients bring; `none` stands for silence. */
const NOTIFICATION_SOUNDS = ['ding', 'zulip'] as const;

/**
 * Personal settings that are stored and handed back to clients; the server itself obeys few of them.
 * Names and meanings are those of the interface.
 */
export const PERSONAL_SETTINGS = {
  color_scheme: choice(1, 3),
  default_language: { type: text({ maxLength: 50 }), initial: 'en' },
  web_home_view: word('inbox', ['recent_topics', 'all_messages']),
  demote_inactive_streams: choice(1, 3),
  display_emoji_reaction_users: flag(true),
  emojiset: word('google', Object.keys(OTHER_EMOJI_SETS) as (keyof typeof OTHER_EMOJI_SETS)[]),
  enable_drafts_synchronization: flag(true),
  enter_sends: flag(false),
  fluid_layout_width: flag(false),
  high_contrast_mode: flag(false),
  left_side_userlist: flag(false),
  starred_message_counts: flag(true),
  translate_emoticons: flag(false),
  twenty_four_hour_time: flag(false),
  web_animate_image_previews: word('on_hover', ['always', 'never']),
  web_channel_default_view: choice(1, 4),
  web_escape_navigates_to_home_view: flag(true),
  web_font_size_px: number(16, 8, 64),
  web_inbox_show_channel_folders: flag(true),
  web_left_sidebar_show_channel_folders: flag(true),
  web_left_sidebar_unreads_count_summary: flag(true),
  web_line_height_percent: number(140, 80, 300),
  web_mark_read_on_scroll_policy: choice(1, 3),
  web_navigate_to_sent_message: flag(true),
  web_stream_unreads_count_display_policy: choice(2, 3),
  web_suggest_update_timezone: flag(true),
  user_list_style: choice(2, 3),
  hide_ai_features: flag(false),
  resolved_topic_notice_auto_read_policy: word('except_followed', ['always', 'never']),

  receives_typing_notifications: flag(true),
  send_private_typing_notifications: flag(true),
  send_stream_typing_notifications: flag(true),
  send_read_receipts: flag(true),
  presence_enabled: flag(true),
  allow_private_data_export: flag(false),

  enable_stream_desktop_notifications: flag(false),
  enable_stream_email_notifications: flag(false),
  enable_stream_push_notifications: flag(false),
  enable_stream_audible_notifications: flag(false),
  enable_followed_topic_desktop_notifications: flag(true),
  enable_followed_topic_email_notifications: flag(true),
  enable_followed_topic_push_notifications: flag(true),
  enable_followed_topic_audible_notifications: flag(true),
  enable_followed_topic_wildcard_mentions_notify: flag(true),
  enable_desktop_notifications: flag(true),
  enable_sounds: flag(true),
  enable_offline_email_notifications: flag(true),
  enable_offline_push_notifications: flag(true),
  enable_online_push_notifications: flag(true),
  enable_digest_emails: flag(true),
  enable_marketing_emails: flag(true),
  enable_login_emails: flag(true),
  wildcard_mentions_notify: flag(true),
  message_content_in_email_notifications: flag(true),
  pm_content_in_desktop_notifications: flag(true),
  notification_sound: { type: text({ maxLength: 20 }), initial: 'zulip' },
  desktop_icon_count_display: choice(1, 4),
  realm_name_in_email_notifications_policy: choice(1, 3),
  email_notifications_batching_period_seconds: { type: json.integer(), initial: 120 },
  automatically_follow_topics_policy: choice(3, 4),
  automatically_unmute_topics_in_muted_streams_policy: choice(2, 4),
  automatically_follow_topics_where_mentioned: flag(true),
} satisfies Record<string, PersonalSetting<unknown>>;

/** Values of all personal settings. */
export type PersonalSettings = {
  -readonly [Name in keyof typeof PERSONAL_SETTINGS]: Decoded<(typeof PERSONAL_SETTINGS)[Name]['type']>;
};

export const PERSONAL_SETTING_NAMES = Object.keys(PERSONAL_SETTINGS) as (keyof PersonalSettings)[];

/** The value in force: what the owner chose, or else the initial one. */
export function personalSetting<Name extends keyof PersonalSettings>(
  chosen: Readonly<Record<string, unknown>>,
  name: Name,
): PersonalSettings[Name] {
  return (chosen[name] ?? PERSONAL_SETTINGS[name].initial) as PersonalSettings[Name];
}

/** Whether clients can play it. */
export function isNotificationSound(name: string): boolean {
  return name === 'none' || (NOTIFICATION_SOUNDS as readonly string[]).includes(name);
}

/** What clients let people choose from; the server obeys none of it. */
const CHOICES = {
  emojiset_choices: Object.entries({ google: 'Google', ...OTHER_EMOJI_SETS }).map(([key, text]) => ({
    key,
    text,
  })),
  available_notification_sounds: NOTIFICATION_SOUNDS,
};

/** What an account says of itself that clients keep among its settings. */
interface ProfileSettings {
  readonly timezone: string;
  readonly emailVisibility: number;
  /** Those that differ from the initial ones. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** All settings of a person, as a client that registers gets them (messages reference 6.2). */
export function personalSettingsState({ timezone, emailVisibility, settings }: ProfileSettings) {
  const user_settings = {
    ...settingValues(settings),
    email_address_visibility: emailVisibility,
    timezone,
    ...CHOICES,
  };
  return { user_settings };
}

/** What the settings of a new account are, for clients that register. */
export function initialSettingsState(emailVisibility: number) {
  const defaults = { ...settingValues({}), email_address_visibility: emailVisibility, ...CHOICES };
  return { realm_user_settings_defaults: defaults };
}

function settingValues(chosen: Readonly<Record<string, unknown>>): PersonalSettings {
  const values = PERSONAL_SETTING_NAMES.map((name) => [name, personalSetting(chosen, name)]);
  return Object.fromEntries(values) as PersonalSettings;
}
