import { keysOf } from '../../platform/collections';

/**
 * Names of the system groups, in the order of creation. Each from `role:administrators` on contains the previous one as
 * its only subgroup.
 */
export const SYSTEM_GROUP_NAMES = [
  'role:nobody',
  'role:owners',
  'role:administrators',
  'role:moderators',
  'role:fullmembers',
  'role:members',
  'role:everyone',
  'role:internet',
] as const;

/** Name of a group that the server maintains. */
export type SystemGroupName = (typeof SYSTEM_GROUP_NAMES)[number];

/** The values that a group setting accepts, and its default. */
export interface GroupSettingDefinition {
  /** The initial value; `creator` represents an anonymous group of only the creator. */
  readonly default: SystemGroupName | 'creator';
  readonly allowsNobody: boolean;
  /** False also means that guests never hold the permission, whatever group they are in. */
  readonly allowsEveryone: boolean;
  /** System groups that this setting refuses in addition to those excluded by the flags. */
  readonly refuses?: readonly SystemGroupName[];
  /** If given, only these system groups are accepted: neither named groups nor anonymous ones. */
  readonly onlySystemGroups?: readonly SystemGroupName[];
  /** Refuses groups whose members anyone but administrators could change. */
  readonly onlyKeptByAdministrators?: true;
}

function membersOnly(
  initial: GroupSettingDefinition['default'],
  more: Partial<GroupSettingDefinition> = {},
): GroupSettingDefinition {
  return { default: initial, allowsNobody: true, allowsEveryone: false, ...more };
}

function anyone(
  initial: GroupSettingDefinition['default'],
  more: Partial<GroupSettingDefinition> = {},
): GroupSettingDefinition {
  return { default: initial, allowsNobody: true, allowsEveryone: true, ...more };
}

/** Organization settings that name a group. */
export const ORGANIZATION_GROUP_SETTINGS = {
  /** Who sees everyone; other guests see only people with whom they share a channel or a conversation. */
  can_access_all_users_group: anyone('role:everyone', {
    allowsNobody: false,
    onlySystemGroups: ['role:everyone', 'role:members'],
  }),
  /** Who may add custom emoji. */
  can_add_custom_emoji_group: membersOnly('role:members'),
  /** Who may subscribe others to channels. */
  can_add_subscribers_group: membersOnly('role:members'),
  /** Who may create bots of any kind. */
  can_create_bots_group: membersOnly('role:members'),
  /** Who may create user groups. */
  can_create_groups: membersOnly('role:members'),
  /** Who may create private channels. */
  can_create_private_channel_group: membersOnly('role:members'),
  /** Who may create public channels. */
  can_create_public_channel_group: membersOnly('role:members'),
  /** Who may create web-public channels. */
  can_create_web_public_channel_group: membersOnly('role:owners', {
    onlySystemGroups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  /** Who may create bots that only post. */
  can_create_write_only_bots_group: membersOnly('role:members'),
  /** Who may delete the messages of others. */
  can_delete_any_message_group: membersOnly('role:administrators'),
  /** Who may delete their own messages, within the time limit. */
  can_delete_own_message_group: anyone('role:everyone'),
  /** Who may invite people by email address. */
  can_invite_users_group: membersOnly('role:administrators'),
  /** Who may manage all user groups. */
  can_manage_all_groups: membersOnly('role:owners', { allowsNobody: false }),
  /** Who may manage billing; stored for clients. */
  can_manage_billing_group: membersOnly('role:administrators', { allowsNobody: false }),
  /** Who may use wildcard mentions in large channels or topics. */
  can_mention_many_users_group: anyone('role:administrators'),
  /** Who may move messages to other channels. */
  can_move_messages_between_channels_group: membersOnly('role:members'),
  /** Who may move messages to other topics of the channel. */
  can_move_messages_between_topics_group: anyone('role:everyone'),
  /** Who may mark topics as resolved. */
  can_resolve_topics_group: anyone('role:everyone'),
  /** Who may set who deletes messages in channels that they administer. */
  can_set_delete_message_policy_group: membersOnly('role:moderators'),
  /** Who may set the policy for the empty topic in channels that they administer. */
  can_set_topics_policy_group: anyone('role:members'),
  /** Who may request summaries of topics; stored for clients. */
  can_summarize_topics_group: anyone('role:everyone'),
  /** Who may create links with which several people can join. */
  create_multiuse_invite_group: membersOnly('role:administrators'),
  /** Who may start direct conversations. */
  direct_message_initiator_group: anyone('role:everyone'),
  /** Of whom at least one must participate in a direct conversation. */
  direct_message_permission_group: anyone('role:everyone'),
  /** Who is an employee rather than a visitor; stored for clients. */
  workplace_users_group: membersOnly('role:members', { onlyKeptByAdministrators: true }),
} as const satisfies Record<string, GroupSettingDefinition>;

/** Name of a permission in the organization. */
export type OrganizationGroupSetting = keyof typeof ORGANIZATION_GROUP_SETTINGS;

/** The permissions in the organization by name. */
export const ORGANIZATION_GROUP_SETTING_NAMES = keysOf(ORGANIZATION_GROUP_SETTINGS);

/** Values for settings that name a group, by name. */
export type ByOrganizationGroupSetting<Value> = {
  [Name in keyof typeof ORGANIZATION_GROUP_SETTINGS]?: Value;
};

/** The organization's policies for the empty topic; channels may also inherit it. */
export type OrganizationTopicsPolicy = 'allow_empty_topic' | 'disable_empty_topic';

/** Default avatars: from Gravatar, or Jdenticons generated by this server. */
export type AvatarSource = 'G' | 'J';

/** Who may see that and how messages were edited. */
export type EditHistoryVisibility = 'all' | 'moves' | 'none';

/** Who must have a second factor. */
export const FACTOR_AUDIENCES = ['nobody', 'administrators', 'everyone'] as const;

/** Who must have a second factor, and since when. */
export interface FactorRequirement {
  /** Administrators include owners. */
  readonly of: (typeof FACTOR_AUDIENCES)[number];
  /** UNIX seconds. */
  readonly from: number;
}

/** A domain that new addresses may have. */
export interface AllowedDomain {
  readonly id: number;
  /** In lower case. */
  readonly domain: string;
  /** Whether subdomains are included. */
  readonly withSubdomains: boolean;
}

/** An image of the organization. */
export interface OrganizationPicture {
  /** Key of the uploaded file; null if there is none. */
  readonly key: string | null;
  /** Incremented with every change. */
  readonly version: number;
}

/** All other organization settings with their types. Names are those on the wire without `realm_`. */
export interface OrganizationSettings {
  /**
   * Identifies the organization even after it is moved to another server; created with the database, and never changed.
   */
  uuid: string;
  name: string;
  description: string;
  /** Number of the type of organization, such as a business; stored for clients. */
  organization_type: number;
  /** Sign-in methods that were explicitly enabled or disabled; all others are enabled. */
  authentication_methods: Readonly<Record<string, boolean>>;
  /** Whose sessions need a second factor. */
  second_factor_required: FactorRequirement;
  /** Whether people without an account can read web-public channels. */
  enable_spectator_access: boolean;
  topics_policy: OrganizationTopicsPolicy;
  /** Display name of the empty topic for clients that do not support it. */
  empty_topic_display_name: string;
  /** Days; -1 keeps messages forever. */
  message_retention_days: number;
  /** Days before a new member counts as a full member. */
  waiting_period_threshold: number;
  /** Channel IDs; -1 means none. */
  new_channel_announcements_channel_id: number;
  signup_announcements_channel_id: number;
  update_announcements_channel_id: number;
  /** Private channel for reports of messages. */
  moderation_request_channel_id: number;
  /** Whether to post a notice in a channel's own topic when it is created, renamed or archived. */
  send_channel_events_messages: boolean;
  require_unique_names: boolean;
  name_changes_disabled: boolean;
  email_changes_disabled: boolean;
  avatar_changes_disabled: boolean;
  /** Default avatar of accounts created from now on. */
  default_avatar_source: AvatarSource;
  /** Whether new addresses must belong to the domains that are allowed. */
  emails_restricted_to_domains: boolean;
  allowed_domains: readonly AllowedDomain[];
  /** Whether to refuse new addresses at disposable email services. */
  disallow_disposable_email_addresses: boolean;
  allow_message_editing: boolean;
  /** Seconds; null means no limit. */
  message_content_edit_limit_seconds: number | null;
  message_content_delete_limit_seconds: number | null;
  move_messages_within_channel_limit_seconds: number | null;
  move_messages_between_channels_limit_seconds: number | null;
  message_edit_history_visibility_policy: EditHistoryVisibility;
  enable_read_receipts: boolean;
  presence_disabled: boolean;
  default_language: string;
  inline_image_preview: boolean;
  default_code_block_language: string;
  /** Percentage; stored for clients. */
  media_preview_size: number;
  /** Stored for clients, as no notification leaves the server. */
  require_e2ee_push_notifications: boolean;
  /** Whether email and push notifications may contain message texts. */
  message_content_allowed_in_email_notifications: boolean;
  /** Whether to mark guests after their names; stored for clients. */
  enable_guest_user_indicator: boolean;
  /** Whether to warn people who start to write to a guest; stored for clients. */
  enable_guest_user_dm_warning: boolean;
  /** Number of the video call provider that clients use; 0 for none. Clients create the links themselves. */
  video_chat_provider: number;
  /** URL of the Jitsi server for calls; null for the operator's default. */
  jitsi_server_url: string | null;
  /** Maximum rating of GIFs that clients offer; 0 disables them. */
  gif_rating_policy: number;
  /** Welcome text for new people, in Markdown; empty for none. */
  welcome_message_custom_text: string;
  /** Square, for lists of organizations. */
  icon: OrganizationPicture;
  /** Wide, for light pages. */
  logo: OrganizationPicture;
  /** Wide, for dark pages. */
  night_logo: OrganizationPicture;
  /** Default personal settings of new people, by name, if different from the initial values. */
  user_settings_defaults: Readonly<Record<string, unknown>>;
  /** When an owner or the operator deactivated the organization, in UNIX seconds; null while it is active. */
  deactivated_at: number | null;
}

/** More days than anyone needs, and within the limits of every column. */
export const MAX_DAYS = 2 ** 31 - 1;

/** Maximum length of the welcome text, in Unicode code points. */
export const MAX_WELCOME_TEXT_LENGTH = 8_000;

/** Settings that name a channel by its ID, or none by -1. */
export const ORGANIZATION_CHANNEL_SETTINGS = [
  'new_channel_announcements_channel_id',
  'signup_announcements_channel_id',
  'update_announcements_channel_id',
  'moderation_request_channel_id',
] as const satisfies readonly (keyof OrganizationSettings)[];

const NO_PICTURE: OrganizationPicture = { key: null, version: 1 };

/** The default of every setting. */
export const ORGANIZATION_SETTING_DEFAULTS: Readonly<OrganizationSettings> = {
  uuid: '',
  name: 'Parley',
  description: '',
  organization_type: 0,
  authentication_methods: {},
  second_factor_required: { of: 'nobody', from: 0 },
  enable_spectator_access: false,
  topics_policy: 'allow_empty_topic',
  empty_topic_display_name: 'general chat',
  message_retention_days: -1,
  waiting_period_threshold: 0,
  new_channel_announcements_channel_id: -1,
  signup_announcements_channel_id: -1,
  update_announcements_channel_id: -1,
  moderation_request_channel_id: -1,
  send_channel_events_messages: false,
  require_unique_names: false,
  name_changes_disabled: false,
  email_changes_disabled: false,
  avatar_changes_disabled: false,
  default_avatar_source: 'G',
  emails_restricted_to_domains: false,
  allowed_domains: [],
  disallow_disposable_email_addresses: true,
  allow_message_editing: true,
  message_content_edit_limit_seconds: 600,
  message_content_delete_limit_seconds: 600,
  move_messages_within_channel_limit_seconds: 604_800,
  move_messages_between_channels_limit_seconds: 604_800,
  message_edit_history_visibility_policy: 'all',
  enable_read_receipts: true,
  presence_disabled: false,
  default_language: 'en',
  inline_image_preview: true,
  default_code_block_language: '',
  media_preview_size: 100,
  require_e2ee_push_notifications: false,
  message_content_allowed_in_email_notifications: true,
  enable_guest_user_indicator: true,
  enable_guest_user_dm_warning: true,
  video_chat_provider: 1,
  jitsi_server_url: null,
  gif_rating_policy: 2,
  welcome_message_custom_text: '',
  icon: NO_PICTURE,
  logo: NO_PICTURE,
  night_logo: NO_PICTURE,
  user_settings_defaults: {},
  deactivated_at: null,
};
