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
  /** Who invites people; stored for clients. */
  can_invite_users_group: membersOnly('role:members'),
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
  /** Who makes invitations for several people; stored for clients. */
  create_multiuse_invite_group: membersOnly('role:administrators'),
  /** Who begins direct conversations. */
  direct_message_initiator_group: anyone('role:everyone'),
  /** Of whom at least one has to take part in a direct conversation. */
  direct_message_permission_group: anyone('role:everyone'),
  /** Who belongs to the workplace, rather than being a visitor of it; stored for clients. */
  workplace_users_group: membersOnly('role:members'),
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

/** Who may see that and how messages were edited. */
export type EditHistoryVisibility = 'all' | 'moves' | 'none';

/** All other organization settings with their types. Names are those of the wire without `realm_`. */
export interface OrganizationSettings {
  name: string;
  description: string;
  /** Lets people without an account read web-public channels. */
  enable_spectator_access: boolean;
  topics_policy: OrganizationTopicsPolicy;
  /** How the empty topic is shown to clients that do not know it. */
  empty_topic_display_name: string;
  /** Days; -1 keeps messages for ever. */
  message_retention_days: number;
  /** Days before a new member counts as a full member. */
  waiting_period_threshold: number;
  /** Channel IDs; -1 means none. */
  new_channel_announcements_channel_id: number;
  signup_announcements_channel_id: number;
  update_announcements_channel_id: number;
  /** Posts a notice in a channel's own topic when it is created, renamed or archived. */
  send_channel_events_messages: boolean;
  require_unique_names: boolean;
  name_changes_disabled: boolean;
  email_changes_disabled: boolean;
  avatar_changes_disabled: boolean;
  /** Domains that new addresses must belong to; empty means any. */
  allowed_email_domains: string[];
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
  /** Personal settings with which people begin, by name, where they differ from the initial values. */
  user_settings_defaults: Readonly<Record<string, unknown>>;
}

/** More days than any calendar needs, and few enough for every column. */
export const MAX_DAYS = 2 ** 31 - 1;

/** Settings that name a channel by its ID, or none by -1. */
export const ORGANIZATION_CHANNEL_SETTINGS = [
  'new_channel_announcements_channel_id',
  'signup_announcements_channel_id',
  'update_announcements_channel_id',
] as const satisfies readonly (keyof OrganizationSettings)[];

/** Where every setting starts. */
export const ORGANIZATION_SETTING_DEFAULTS: Readonly<OrganizationSettings> = {
  name: 'Parley',
  description: '',
  enable_spectator_access: false,
  topics_policy: 'allow_empty_topic',
  empty_topic_display_name: 'general chat',
  message_retention_days: -1,
  waiting_period_threshold: 0,
  new_channel_announcements_channel_id: -1,
  signup_announcements_channel_id: -1,
  update_announcements_channel_id: -1,
  send_channel_events_messages: false,
  require_unique_names: false,
  name_changes_disabled: false,
  email_changes_disabled: false,
  avatar_changes_disabled: false,
  allowed_email_domains: [],
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
  user_settings_defaults: {},
};
