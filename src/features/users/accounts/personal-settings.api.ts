import { keysOf } from '../../../platform/collections';
import { json } from '../../../platform/http/parameters/json';
import { listedNumber, NOT_LISTED } from '../../../platform/http/parameters/further-types';
import { oneOf, text } from '../../../platform/http/parameters/text';
import type { Decoded, WireType } from '../../../platform/http/parameters/json-type';

/** The type of a personal setting on the wire, and its initial value. */
export interface PersonalSetting<T> {
  readonly type: WireType<T>;
  readonly initial: T;
  /** Old names of words that were renamed and are still accepted. */
  readonly renamed?: Readonly<Record<string, T>>;
}

function flag(initial: boolean): PersonalSetting<boolean> {
  return { type: json.boolean(), initial };
}

/** A numbered choice, from 1 to `last`. */
function choice(initial: number, last: number): PersonalSetting<number> {
  return { type: listedNumber(Array.from({ length: last }, (_, index) => index + 1)), initial };
}

function number(initial: number, min: number, max: number): PersonalSetting<number> {
  return { type: json.integer({ min, max }), initial };
}

function word<const Word extends string>(initial: Word, others: readonly Word[]): PersonalSetting<Word> {
  return { type: oneOf([initial, ...others]), initial };
}

/** Also accepts old names of words, for older clients and for stored values. */
function withOldWords<Word extends string>(
  setting: PersonalSetting<Word>,
  renamed: Readonly<Record<string, Word>>,
): PersonalSetting<Word> {
  const { type, initial } = setting;
  return {
    type: { ...type, decode: (raw, at) => type.decode(renamed[raw] ?? raw, at) },
    initial,
    renamed,
  };
}

/** Emoji sets besides the default one, with their names. Clients contain the images. */
const OTHER_EMOJI_SETS = { 'google-blob': 'Google blobs', twitter: 'Twitter', text: 'Plain text' } as const;

/** Sounds that clients contain; `none` disables sound. */
const NOTIFICATION_SOUNDS = ['ding', 'zulip'] as const;

/**
 * Personal settings that are stored and returned to clients; the server itself uses only a few of them. Names and
 * meanings are Zulip's.
 */
export const PERSONAL_SETTINGS = {
  /** Color scheme of the client: 1 as in the system, 2 dark, 3 light. */
  color_scheme: choice(1, 3),
  /** Language code of the client, such as `de`. */
  default_language: { type: text({ maxLength: 50 }), initial: 'en' },
  /** What the web client shows first. */
  web_home_view: withOldWords(word('inbox', ['recent', 'all_messages']), { recent_topics: 'recent' }),
  /** Whether inactive channels move to the end: 1 if there are many channels, 2 always, 3 never. */
  demote_inactive_streams: choice(1, 3),
  /** Whether reactions show names if there are few. */
  display_emoji_reaction_users: flag(true),
  /** The emoji set. */
  emojiset: {
    type: oneOf(['google', ...keysOf(OTHER_EMOJI_SETS)], { refusal: `Invalid emojiset: ${NOT_LISTED}` }),
    initial: 'google',
  },
  /** Whether drafts are stored on the server. */
  enable_drafts_synchronization: flag(true),
  /** Whether the Enter key sends a message. */
  enter_sends: flag(false),
  /** Whether the web client uses the full width of the window. */
  fluid_layout_width: flag(false),
  /** Whether the client uses higher contrast. */
  high_contrast_mode: flag(false),
  /** Whether narrow windows show people on the left. */
  left_side_userlist: flag(false),
  /** Whether the number of starred messages is shown. */
  starred_message_counts: flag(true),
  /** Whether emoticons such as `:)` are converted to emoji before a message is sent. */
  translate_emoticons: flag(false),
  /** Whether times use the 24-hour format. */
  twenty_four_hour_time: flag(false),
  /** When animated images play. */
  web_animate_image_previews: word('on_hover', ['always', 'never']),
  /** The target of a click on a channel: 1 newest topic, 2 all its messages, 3 its topics, 4 the first unread topic. */
  web_channel_default_view: choice(1, 4),
  /** Whether the Escape key opens the home view. */
  web_escape_navigates_to_home_view: flag(true),
  /** Font size in pixels. */
  web_font_size_px: number(16, 8, 64),
  /** Whether the inbox groups channels by folder. */
  web_inbox_show_channel_folders: flag(true),
  /** Whether the list of channels is grouped by folder. */
  web_left_sidebar_show_channel_folders: flag(true),
  /** Whether the list of channels shows a summary of unread counts. */
  web_left_sidebar_unreads_count_summary: flag(true),
  /** Line height, as a percentage of the font size. */
  web_line_height_percent: number(140, 80, 300),
  /** When scrolling marks messages as read: 1 always, 2 in conversation views, 3 never. */
  web_mark_read_on_scroll_policy: choice(1, 3),
  /** Whether the web client navigates to a message that was just sent. */
  web_navigate_to_sent_message: flag(true),
  /** Which channels show unread counts: 1 all, 2 unmuted ones, 3 none. */
  web_stream_unreads_count_display_policy: choice(2, 3),
  /** Whether the web client suggests the time zone of the device. */
  web_suggest_update_timezone: flag(true),
  /** Style of the user list: 1 compact, 2 with status, 3 with avatars. */
  user_list_style: choice(3, 3),
  /** Whether features based on language models are hidden. */
  hide_ai_features: flag(false),
  /** For which topics the notice that they were resolved is marked as read automatically. */
  resolved_topic_notice_auto_read_policy: word('except_followed', ['always', 'never']),

  /** Whether typing notifications of others are shown. */
  receives_typing_notifications: flag(true),
  /** Whether to send typing notifications in direct conversations. */
  send_private_typing_notifications: flag(true),
  /** Whether to send typing notifications in channels. */
  send_stream_typing_notifications: flag(true),
  /** Whether others see which messages the user has read. */
  send_read_receipts: flag(true),
  /** Whether others see that the user is online. */
  presence_enabled: flag(true),
  /** Whether administrators may export the user's private data. */
  allow_private_data_export: flag(false),

  /** Desktop notifications for channel messages. */
  enable_stream_desktop_notifications: flag(false),
  /** Email about missed channel messages. */
  enable_stream_email_notifications: flag(false),
  /** Push notifications for channel messages. */
  enable_stream_push_notifications: flag(false),
  /** Sound for channel messages. */
  enable_stream_audible_notifications: flag(false),
  /** Desktop notifications for messages in followed topics. */
  enable_followed_topic_desktop_notifications: flag(true),
  /** Email about missed messages in followed topics. */
  enable_followed_topic_email_notifications: flag(true),
  /** Push notifications for messages in followed topics. */
  enable_followed_topic_push_notifications: flag(true),
  /** Sound for messages in followed topics. */
  enable_followed_topic_audible_notifications: flag(true),
  /** Whether wildcard mentions in followed topics notify like personal mentions. */
  enable_followed_topic_wildcard_mentions_notify: flag(true),
  /** Desktop notifications for direct messages and mentions. */
  enable_desktop_notifications: flag(true),
  /** Sound for direct messages and mentions. */
  enable_sounds: flag(true),
  /** Email about direct messages and mentions while offline. */
  enable_offline_email_notifications: flag(true),
  /** Push notifications for direct messages and mentions while offline. */
  enable_offline_push_notifications: flag(true),
  /** Push notifications for direct messages and mentions while online. */
  enable_online_push_notifications: flag(true),
  /** Digest emails, which this server does not send; stored for clients. */
  enable_digest_emails: flag(true),
  /** Email with product news; stored for clients. */
  enable_marketing_emails: flag(true),
  /** Email about sign-ins from new devices; owners always receive it. */
  enable_login_emails: flag(true),
  /** Whether wildcard mentions notify like personal mentions. */
  wildcard_mentions_notify: flag(true),
  /** Whether email contains the text of messages. */
  message_content_in_email_notifications: flag(true),
  /** Whether desktop notifications contain the text of direct messages. */
  pm_content_in_desktop_notifications: flag(true),
  /** Name of the sound; `none` disables it. */
  notification_sound: { type: text({ maxLength: 20 }), initial: 'zulip' },
  /**
   * What the desktop icon counts: 1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct
   * messages and mentions, 4 nothing.
   */
  desktop_icon_count_display: choice(1, 4),
  /**
   * Whether the subject of email contains the organization's name: 1 for people with several organizations, which never
   * applies here, 2 always, 3 never.
   */
  realm_name_in_email_notifications_policy: choice(1, 3),
  /** Seconds to wait for more missed messages before emailing them. */
  email_notifications_batching_period_seconds: {
    type: { ...json.integer(), jsonSchema: { type: 'integer', minimum: 1, maximum: 7 * 86_400 } },
    initial: 120,
  },
  /** Which topics to follow automatically: 1 on any participation, 2 when sending, 3 when starting a topic, 4 none. */
  automatically_follow_topics_policy: choice(3, 4),
  /** When to unmute topics of muted channels automatically, with the same values. */
  automatically_unmute_topics_in_muted_streams_policy: choice(2, 4),
  /** Whether to follow topics automatically when mentioned there. */
  automatically_follow_topics_where_mentioned: flag(true),
} satisfies Record<string, PersonalSetting<unknown>>;

/** Values of all personal settings. */
export type PersonalSettings = {
  -readonly [Name in keyof typeof PERSONAL_SETTINGS]: Decoded<(typeof PERSONAL_SETTINGS)[Name]['type']>;
};

/** The personal settings by name. */
export const PERSONAL_SETTING_NAMES = keysOf(PERSONAL_SETTINGS);

/** The effective value: the owner's choice, or else the initial value. */
export function personalSetting<Name extends keyof PersonalSettings>(
  chosen: Readonly<Record<string, unknown>>,
  name: Name,
): PersonalSettings[Name] {
  const { initial, renamed }: PersonalSetting<unknown> = PERSONAL_SETTINGS[name];
  const value = chosen[name] ?? initial;
  return ((typeof value === 'string' && renamed?.[value]) || value) as PersonalSettings[Name];
}

/** Whether clients can play the sound. */
export function isNotificationSound(name: string): boolean {
  return name === 'none' || (NOTIFICATION_SOUNDS as readonly string[]).includes(name);
}

/** Choices that clients offer to people; the server itself uses none of them. */
const CHOICES = {
  emojiset_choices: Object.entries({ google: 'Google', ...OTHER_EMOJI_SETS }).map(([key, text]) => ({
    key,
    text,
  })),
  available_notification_sounds: NOTIFICATION_SOUNDS,
};

/** Parts of an account's profile that clients treat as settings. */
interface ProfileSettings {
  readonly timezone: string;
  readonly emailVisibility: number;
  /** Settings that differ from their initial values. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** All settings of a person, as part of a client's initial state. */
export function personalSettingsState({ timezone, emailVisibility, settings }: ProfileSettings) {
  const user_settings = {
    ...settingValues(settings),
    email_address_visibility: emailVisibility,
    timezone,
    ...CHOICES,
  };
  return { user_settings };
}

/** The settings of new people. @param chosen by the organization, if different from the initial values */
export function initialSettings(chosen: Readonly<Record<string, unknown>>, emailVisibility: number) {
  return { ...settingValues(chosen), email_address_visibility: emailVisibility, ...CHOICES };
}

/** The settings of new people, as part of a client's initial state. */
export function initialSettingsState(settings: ReturnType<typeof initialSettings>) {
  return { realm_user_settings_defaults: settings };
}

function settingValues(chosen: Readonly<Record<string, unknown>>): PersonalSettings {
  const values = PERSONAL_SETTING_NAMES.map((name) => [name, personalSetting(chosen, name)]);
  return Object.fromEntries(values) as PersonalSettings;
}
