import { keysOf } from '../../platform/collections';

/**
 * Names of the system groups, in the order in which they are created. Each from
 * `role:administrators` on holds the one before it as its only subgroup.
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

/** Name of a group that the server keeps by itself. */
export type SystemGroupName = (typeof SYSTEM_GROUP_NAMES)[number];

/** What a setting that names a group accepts, and where it starts. */
export interface GroupSettingDefinition {
  /** The value when nothing was chosen; `creator` stands for an anonymous group of the creator alone. */
  readonly default: SystemGroupName | 'creator';
  readonly allowsNobody: boolean;
  /** False also means that guests never hold the permission, whatever group they are in. */
  readonly allowsEveryone: boolean;
  /** System groups this setting refuses beyond those that the flags already tell. */
  readonly refuses?: readonly SystemGroupName[];
  /** When given, only these system groups are accepted: neither named groups nor anonymous ones. */
  readonly onlySystemGroups?: readonly SystemGroupName[];
  /** Refuses groups whose members anybody but administrators could change. */
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
  /** Who sees everybody; other guests see only people with whom they share a channel or a conversation. */
  can_access_all_users_group: anyone('role:everyone', {
    allowsNobody: false,
    onlySystemGroups: ['role:everyone', 'role:members'],
  }),
  /** Who adds emoji of the organization's own. */
  can_add_custom_emoji_group: membersOnly('role:members'),
  /** Who subscribes others to channels. */
  can_add_subscribers_group: membersOnly('role:members'),
  /** Who makes bots of any kind. */
  can_create_bots_group: membersOnly('role:members'),
  /** Who makes user groups. */
  can_create_groups: membersOnly('role:members'),
  /** Who makes private channels. */
  can_create_private_channel_group: membersOnly('role:members'),
  /** Who makes public channels. */
  can_create_public_channel_group: membersOnly('role:members'),
  /** Who makes channels that can be read without an account. */
  can_create_web_public_channel_group: membersOnly('role:owners', {
    onlySystemGroups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  /** Who makes bots that only post. */
  can_create_write_only_bots_group: membersOnly('role:members'),
  /** Who may delete the messages of others. */
  can_delete_any_message_group: membersOnly('role:administrators'),
  /** Who deletes their own messages, within the time for it. */
  can_delete_own_message_group: anyone('role:everyone'),
  /** Who invites people by their addresses. */
  can_invite_users_group: membersOnly('role:administrators'),
  /** Who manages every user group. */
  can_manage_all_groups: membersOnly('role:owners', { allowsNobody: false }),
  /** Who deals with bills; stored for clients. */
  can_manage_billing_group: membersOnly('role:administrators', { allowsNobody: false }),
  /** Who mentions everybody of a large channel or topic. */
  can_mention_many_users_group: anyone('role:administrators'),
  /** Who moves messages to other channels. */
  can_move_messages_between_channels_group: membersOnly('role:members'),
  /** Who moves messages to other topics of the channel. */
  can_move_messages_between_topics_group: anyone('role:everyone'),
  /** Who marks topics as resolved. */
  can_resolve_topics_group: anyone('role:everyone'),
  /** Who decides who deletes messages of a channel that they administer. */
  can_set_delete_message_policy_group: membersOnly('role:moderators'),
  /** Who decides about the empty topic of a channel that they administer. */
  can_set_topics_policy_group: anyone('role:members'),
  /** Who has topics summarized; stored for clients. */
  can_summarize_topics_group: anyone('role:everyone'),
  /** Who makes links with which several people can join. */
  create_multiuse_invite_group: membersOnly('role:administrators'),
  /** Who begins direct conversations. */
  direct_message_initiator_group: anyone('role:everyone'),
  /** Of whom at least one has to take part in a direct conversation. */
  direct_message_permission_group: anyone('role:everyone'),
  /** Who belongs to the workplace, rather than being a visitor of it; stored for clients. */
  workplace_users_group: membersOnly('role:members', { onlyKeptByAdministrators: true }),
} as const satisfies Record<string, GroupSettingDefinition>;

/** Name of a permission in the organization. */
export type OrganizationGroupSetting = keyof typeof ORGANIZATION_GROUP_SETTINGS;

/** The permissions in the organization by name. */
export const ORGANIZATION_GROUP_SETTING_NAMES = keysOf(ORGANIZATION_GROUP_SETTINGS);

/** Something for settings that name a group, by their names. What the settings are goes with the names. */
export type ByOrganizationGroupSetting<Value> = {
  [Name in keyof typeof ORGANIZATION_GROUP_SETTINGS]?: Value;
};

/** What an organization may say about the empty topic; channels may also inherit. */
export type OrganizationTopicsPolicy = 'allow_empty_topic' | 'disable_empty_topic';

/** Default profile pictures: from Gravatar, or Jdenticons drawn by this server. */
export type AvatarSource = 'G' | 'J';

/** Who may see that and how messages were edited. */
export type EditHistoryVisibility = 'all' | 'moves' | 'none';

/** Of whom the organization requires a second factor. */
export const FACTOR_AUDIENCES = ['nobody', 'administrators', 'everyone'] as const;

/** Who must have a second factor, and from when on. */
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
  /** Whether domains below it are meant as well. */
  readonly withSubdomains: boolean;
}

/** A picture of the organization. */
export interface OrganizationPicture {
  /** Names the uploaded file; null where there is none. */
  readonly key: string | null;
  /** Grows with every change. */
  readonly version: number;
}

/** All other organization settings with their types. Names are those of the wire without `realm_`. */
export interface OrganizationSettings {
  /** Names the organization wherever it is moved; made with the database, and never changed. */
  uuid: string;
  name: string;
  description: string;
  /** Number of the kind of organization, such as a business; stored for clients. */
  organization_type: number;
  /** Ways of signing in, by name, that were switched on or off; those that were not are on. */
  authentication_methods: Readonly<Record<string, boolean>>;
  /** Whose sessions need a second factor. */
  second_factor_required: FactorRequirement;
  /** Lets people without an account read web-public channels. */
  enable_spectator_access: boolean;
  topics_policy: OrganizationTopicsPolicy;
  /** How the empty topic is shown to clients that do not know it. */
  empty_topic_display_name: string;
  /** Days; -1 keeps messages forever. */
  message_retention_days: number;
  /** Days before a new member counts as a full member. */
  waiting_period_threshold: number;
  /** Channel IDs; -1 means none. */
  new_channel_announcements_channel_id: number;
  signup_announcements_channel_id: number;
  update_announcements_channel_id: number;
  /** Where reports of messages go; a private one. */
  moderation_request_channel_id: number;
  /** Posts a notice in a channel's own topic when it is created, renamed or archived. */
  send_channel_events_messages: boolean;
  require_unique_names: boolean;
  name_changes_disabled: boolean;
  email_changes_disabled: boolean;
  avatar_changes_disabled: boolean;
  /** Of accounts that are made from now on. */
  default_avatar_source: AvatarSource;
  /** Whether new addresses must belong to the domains that are allowed. */
  emails_restricted_to_domains: boolean;
  allowed_domains: readonly AllowedDomain[];
  /** Refuses new addresses of providers whose addresses anybody has for minutes. */
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
  /** Per cent; stored for clients. */
  media_preview_size: number;
  /** Stored for clients, as no notification leaves the server. */
  require_e2ee_push_notifications: boolean;
  /** Whether email and push notifications may show what messages say. */
  message_content_allowed_in_email_notifications: boolean;
  /** Marks guests by a word behind their names; stored for clients. */
  enable_guest_user_indicator: boolean;
  /** Warns people who begin to write to a guest; stored for clients. */
  enable_guest_user_dm_warning: boolean;
  /** Number of the kind of video calls that clients offer; 0 for none. They make the links themselves. */
  video_chat_provider: number;
  /** The Jitsi server of calls; null for the one that the operator chose. */
  jitsi_server_url: string | null;
  /** Up to which rating clients show GIFs from a service; 0 for none. */
  gif_rating_policy: number;
  /** Markdown that people get when they join; empty for none. */
  welcome_message_custom_text: string;
  /** Square, for lists of organizations. */
  icon: OrganizationPicture;
  /** Wide, for light pages. */
  logo: OrganizationPicture;
  /** Wide, for dark pages. */
  night_logo: OrganizationPicture;
  /** Personal settings with which people begin, by name, where they differ from the initial values. */
  user_settings_defaults: Readonly<Record<string, unknown>>;
  /** When an owner or the operator deactivated the organization, in UNIX seconds; null while it is in use. */
  deactivated_at: number | null;
}

/** More days than any calendar needs, and few enough for every column. */
export const MAX_DAYS = 2 ** 31 - 1;

/** The longest text that people get when they join, in Unicode code points. */
export const MAX_WELCOME_TEXT_LENGTH = 8_000;

/** Settings that name a channel by its ID, or none by -1. */
export const ORGANIZATION_CHANNEL_SETTINGS = [
  'new_channel_announcements_channel_id',
  'signup_announcements_channel_id',
  'update_announcements_channel_id',
  'moderation_request_channel_id',
] as const satisfies readonly (keyof OrganizationSettings)[];

const NO_PICTURE: OrganizationPicture = { key: null, version: 1 };

/** Where every setting starts. */
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
