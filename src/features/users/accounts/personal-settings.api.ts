import { keysOf } from '../../../platform/collections';
import { json } from '../../../platform/http/parameters/json';
import { listedNumber, NOT_LISTED } from '../../../platform/http/parameters/further-types';
import { oneOf, text } from '../../../platform/http/parameters/text';
import type { Decoded, WireType } from '../../../platform/http/parameters/json-type';

/** One personal setting: its type on the wire, and its value until its owner chooses another. */
export interface PersonalSetting<T> {
  readonly type: WireType<T>;
  readonly initial: T;
  /** Words that have another name by now, and are taken under the old one as well. */
  readonly renamed?: Readonly<Record<string, T>>;
}

function flag(initial: boolean): PersonalSetting<boolean> {
  return { type: json.boolean(), initial };
}

/** A number that stands for a choice, from 1 to `last`. */
function choice(initial: number, last: number): PersonalSetting<number> {
  return { type: listedNumber(Array.from({ length: last }, (_, index) => index + 1)), initial };
}

function number(initial: number, min: number, max: number): PersonalSetting<number> {
  return { type: json.integer({ min, max }), initial };
}

function word<const Word extends string>(initial: Word, others: readonly Word[]): PersonalSetting<Word> {
  return { type: oneOf([initial, ...others]), initial };
}

/** Takes words under old names, too, for clients that know no others and for what was chosen under them. */
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

/** Sets of emoji pictures beside the default one, with their names. Clients bring the pictures. */
const OTHER_EMOJI_SETS = { 'google-blob': 'Google blobs', twitter: 'Twitter', text: 'Plain text' } as const;

/** Sounds that clients bring; `none` stands for silence. */
const NOTIFICATION_SOUNDS = ['ding', 'zulip'] as const;

/**
 * Personal settings that are stored and returned to clients; the server itself obeys few of them. Names and meanings
 * are those of the interface.
 */
export const PERSONAL_SETTINGS = {
  /** Colors of the client: 1 as the system has them, 2 dark, 3 light. */
  color_scheme: choice(1, 3),
  /** Code of the language of the client, such as `de`. */
  default_language: { type: text({ maxLength: 50 }), initial: 'en' },
  /** What the web client shows first. */
  web_home_view: withOldWords(word('inbox', ['recent', 'all_messages']), { recent_topics: 'recent' }),
  /** Whether channels without new messages go to the end: 1 where there are many, 2 always, 3 never. */
  demote_inactive_streams: choice(1, 3),
  /** Whether reactions show names where there are few. */
  display_emoji_reaction_users: flag(true),
  /** Set of pictures for emoji. */
  emojiset: {
    type: oneOf(['google', ...keysOf(OTHER_EMOJI_SETS)], { refusal: `Invalid emojiset: ${NOT_LISTED}` }),
    initial: 'google',
  },
  /** Whether drafts are stored on the server. */
  enable_drafts_synchronization: flag(true),
  /** Whether the Enter key sends a message. */
  enter_sends: flag(false),
  /** Whether the web client takes the whole width of the window. */
  fluid_layout_width: flag(false),
  /** Whether the client shows more contrast. */
  high_contrast_mode: flag(false),
  /** Whether narrow windows show people on the left. */
  left_side_userlist: flag(false),
  /** Whether the number of starred messages is shown. */
  starred_message_counts: flag(true),
  /** Whether `:)` and the like become emoji before a message is sent. */
  translate_emoticons: flag(false),
  /** Whether times are shown with 24 hours. */
  twenty_four_hour_time: flag(false),
  /** When moving pictures move. */
  web_animate_image_previews: word('on_hover', ['always', 'never']),
  /** Where a click on a channel leads: 1 newest topic, 2 all its messages, 3 its topics, 4 the first unread topic. */
  web_channel_default_view: choice(1, 4),
  /** Whether the Escape key leads to the home view. */
  web_escape_navigates_to_home_view: flag(true),
  /** Size of letters in pixels. */
  web_font_size_px: number(16, 8, 64),
  /** Whether the inbox groups channels by folder. */
  web_inbox_show_channel_folders: flag(true),
  /** Whether the list of channels is grouped by folder. */
  web_left_sidebar_show_channel_folders: flag(true),
  /** Whether the list of channels sums up what is unread. */
  web_left_sidebar_unreads_count_summary: flag(true),
  /** Height of lines, in percent of that of letters. */
  web_line_height_percent: number(140, 80, 300),
  /** When messages that were scrolled past count as read: 1 always, 2 in views of one conversation, 3 never. */
  web_mark_read_on_scroll_policy: choice(1, 3),
  /** Whether the web client goes to a message that was just sent. */
  web_navigate_to_sent_message: flag(true),
  /** Which channels show how much is unread: 1 all, 2 those that are not muted, 3 none. */
  web_stream_unreads_count_display_policy: choice(2, 3),
  /** Whether the web client proposes the time zone of the device. */
  web_suggest_update_timezone: flag(true),
  /** How the list of people looks: 1 compact, 2 with status, 3 with pictures. */
  user_list_style: choice(3, 3),
  /** Whether features made with language models are hidden. */
  hide_ai_features: flag(false),
  /** Of which topics the notice that they are resolved counts as read at once. */
  resolved_topic_notice_auto_read_policy: word('except_followed', ['always', 'never']),

  /** Whether others who type are shown. */
  receives_typing_notifications: flag(true),
  /** Whether people in direct conversations are told that one types. */
  send_private_typing_notifications: flag(true),
  /** Whether people in channels are told that one types. */
  send_stream_typing_notifications: flag(true),
  /** Whether others see what one has read. */
  send_read_receipts: flag(true),
  /** Whether others see that one is there. */
  presence_enabled: flag(true),
  /** Whether administrators may export one's private data. */
  allow_private_data_export: flag(false),

  /** Desktop notifications of messages in channels. */
  enable_stream_desktop_notifications: flag(false),
  /** Email about missed messages in channels. */
  enable_stream_email_notifications: flag(false),
  /** Push notifications of messages in channels. */
  enable_stream_push_notifications: flag(false),
  /** Sound for messages in channels. */
  enable_stream_audible_notifications: flag(false),
  /** Desktop notifications of messages in followed topics. */
  enable_followed_topic_desktop_notifications: flag(true),
  /** Email about missed messages in followed topics. */
  enable_followed_topic_email_notifications: flag(true),
  /** Push notifications of messages in followed topics. */
  enable_followed_topic_push_notifications: flag(true),
  /** Sound for messages in followed topics. */
  enable_followed_topic_audible_notifications: flag(true),
  /** Whether mentions of everybody in followed topics notify as personal ones do. */
  enable_followed_topic_wildcard_mentions_notify: flag(true),
  /** Desktop notifications of direct messages and mentions. */
  enable_desktop_notifications: flag(true),
  /** Sound for direct messages and mentions. */
  enable_sounds: flag(true),
  /** Email about direct messages and mentions while one is away. */
  enable_offline_email_notifications: flag(true),
  /** Push notifications of direct messages and mentions while one is away. */
  enable_offline_push_notifications: flag(true),
  /** The same while one is there. */
  enable_online_push_notifications: flag(true),
  /** Digest emails, which are not sent; stored for clients. */
  enable_digest_emails: flag(true),
  /** E-mail with news of the product; stored for clients. */
  enable_marketing_emails: flag(true),
  /** E-mail about sign-ins from new devices; owners always get it. */
  enable_login_emails: flag(true),
  /** Whether mentions of everybody notify as personal ones do. */
  wildcard_mentions_notify: flag(true),
  /** Whether email shows what messages say. */
  message_content_in_email_notifications: flag(true),
  /** Whether desktop notifications show what direct messages say. */
  pm_content_in_desktop_notifications: flag(true),
  /** Name of the sound; `none` for silence. */
  notification_sound: { type: text({ maxLength: 20 }), initial: 'zulip' },
  /**
   * What the number on the icon counts: 1 all that is unread, 2 direct messages, mentions and followed topics, 3 direct
   * messages and mentions, 4 nothing.
   */
  desktop_icon_count_display: choice(1, 4),
  /** Whether titles of email name the organization: 1 with several of them, which never holds here, 2 always, 3 never. */
  realm_name_in_email_notifications_policy: choice(1, 3),
  /** Seconds for which missed messages are collected before they are emailed. */
  email_notifications_batching_period_seconds: {
    type: { ...json.integer(), jsonSchema: { type: 'integer', minimum: 1, maximum: 7 * 86_400 } },
    initial: 120,
  },
  /**
   * Which topics are followed by themselves: 1 those that one takes part in, 2 that one writes in, 3 that one begins, 4
   * none.
   */
  automatically_follow_topics_policy: choice(3, 4),
  /** The same for unmuting topics of muted channels. */
  automatically_unmute_topics_in_muted_streams_policy: choice(2, 4),
  /** Whether topics in which one is mentioned are followed by themselves. */
  automatically_follow_topics_where_mentioned: flag(true),
} satisfies Record<string, PersonalSetting<unknown>>;

/** Values of all personal settings. */
export type PersonalSettings = {
  -readonly [Name in keyof typeof PERSONAL_SETTINGS]: Decoded<(typeof PERSONAL_SETTINGS)[Name]['type']>;
};

/** The personal settings by name. */
export const PERSONAL_SETTING_NAMES = keysOf(PERSONAL_SETTINGS);

/** The value in force: the owner's choice, or else the initial one. */
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

/** What clients let people choose from; the server obeys none of it. */
const CHOICES = {
  emojiset_choices: Object.entries({ google: 'Google', ...OTHER_EMOJI_SETS }).map(([key, text]) => ({
    key,
    text,
  })),
  available_notification_sounds: NOTIFICATION_SOUNDS,
};

/** Parts of an account's profile that clients keep among its settings. */
interface ProfileSettings {
  readonly timezone: string;
  readonly emailVisibility: number;
  /** Those that differ from the initial ones. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** All settings of a person, as a registering client gets them. */
export function personalSettingsState({ timezone, emailVisibility, settings }: ProfileSettings) {
  const user_settings = {
    ...settingValues(settings),
    email_address_visibility: emailVisibility,
    timezone,
    ...CHOICES,
  };
  return { user_settings };
}

/** The settings with which people begin. @param chosen by the organization, where they differ from the initial values */
export function initialSettings(chosen: Readonly<Record<string, unknown>>, emailVisibility: number) {
  return { ...settingValues(chosen), email_address_visibility: emailVisibility, ...CHOICES };
}

/** The same for registering clients. */
export function initialSettingsState(settings: ReturnType<typeof initialSettings>) {
  return { realm_user_settings_defaults: settings };
}

function settingValues(chosen: Readonly<Record<string, unknown>>): PersonalSettings {
  const values = PERSONAL_SETTING_NAMES.map((name) => [name, personalSetting(chosen, name)]);
  return Object.fromEntries(values) as PersonalSettings;
}
