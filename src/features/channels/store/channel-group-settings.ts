import { keysOf } from '../../../platform/collections';
import type { GroupSettingDefinition } from '../../organization-settings/organization-settings.module';
import type { Channel } from './channel.entity';

/** A permission of a channel: the values it accepts, where it is stored and the access it gives. */
export interface ChannelGroupSettingDefinition extends GroupSettingDefinition {
  /** Property of the channel that holds the ID of the group. */
  readonly property: keyof Channel & `can${string}Group`;
  /** Whether holders can read a private channel without a subscription. */
  readonly givesContentAccess: boolean;
  /** Whether holders see a private channel and its settings. */
  readonly givesMetadataAccess: boolean;
  /** Whether changing it requires content access, because it grants content access. */
  readonly changeNeedsContentAccess: boolean;
}

type Property = ChannelGroupSettingDefinition['property'];

/** A permission that gives access to the channel itself; guests never hold it. */
function opening(
  property: Property,
  initial: GroupSettingDefinition['default'],
  content: boolean,
): ChannelGroupSettingDefinition {
  return {
    property,
    default: initial,
    allowsNobody: true,
    allowsEveryone: false,
    givesContentAccess: content,
    givesMetadataAccess: true,
    changeNeedsContentAccess: content,
  };
}

/** A permission for an action in a channel that the person can access anyway. */
function acting(
  property: Property,
  initial: GroupSettingDefinition['default'],
): ChannelGroupSettingDefinition {
  return {
    property,
    default: initial,
    allowsNobody: true,
    allowsEveryone: true,
    givesContentAccess: false,
    givesMetadataAccess: false,
    changeNeedsContentAccess: false,
  };
}

/**
 * The permissions of a channel by their names on the wire, in the order in which they are checked. Those for moving,
 * deleting and resolving extend the organization's permissions, so `role:nobody` takes nothing away.
 */
export const CHANNEL_GROUP_SETTINGS = {
  /** Who may subscribe themselves and others, even to a private channel. */
  can_add_subscribers_group: opening('canAddSubscribersGroup', 'role:nobody', true),
  /** Who may change the settings of the channel. */
  can_administer_channel_group: opening('canAdministerChannelGroup', 'creator', false),
  /** Who may start new topics. */
  can_create_topic_group: acting('canCreateTopicGroup', 'role:everyone'),
  /** Who may delete the messages of others in the channel. */
  can_delete_any_message_group: acting('canDeleteAnyMessageGroup', 'role:nobody'),
  /** Who may delete their own messages in the channel. */
  can_delete_own_message_group: acting('canDeleteOwnMessageGroup', 'role:nobody'),
  /** Who may move messages to other channels. */
  can_move_messages_out_of_channel_group: acting('canMoveMessagesOutOfChannelGroup', 'role:nobody'),
  /** Who may move messages to other topics of the channel. */
  can_move_messages_within_channel_group: acting('canMoveMessagesWithinChannelGroup', 'role:nobody'),
  /** Who may unsubscribe others. */
  can_remove_subscribers_group: acting('canRemoveSubscribersGroup', 'role:administrators'),
  /** Who may mark topics of the channel as resolved. */
  can_resolve_topics_group: acting('canResolveTopicsGroup', 'role:nobody'),
  /** Who may post in the channel. */
  can_send_message_group: acting('canSendMessageGroup', 'role:everyone'),
  /** Who may subscribe themselves, even to a private channel. */
  can_subscribe_group: opening('canSubscribeGroup', 'role:nobody', true),
} as const satisfies Record<string, ChannelGroupSettingDefinition>;

/** Name of a permission of a channel. */
export type ChannelGroupSetting = keyof typeof CHANNEL_GROUP_SETTINGS;

/** Values for permissions of a channel, by name. */
export type ByChannelGroupSetting<Value> = { [Name in keyof typeof CHANNEL_GROUP_SETTINGS]?: Value };

/** The permissions of a channel by name. */
export const CHANNEL_GROUP_SETTING_NAMES = keysOf(CHANNEL_GROUP_SETTINGS);

/** Permissions whose holders see a private channel. */
export const METADATA_SETTINGS = CHANNEL_GROUP_SETTING_NAMES.filter(
  (setting) => CHANNEL_GROUP_SETTINGS[setting].givesMetadataAccess,
);

/** Permissions whose holders can read a private channel. */
export const CONTENT_SETTINGS = CHANNEL_GROUP_SETTING_NAMES.filter(
  (setting) => CHANNEL_GROUP_SETTINGS[setting].givesContentAccess,
);

/** ID of the group that holds a permission of a channel. */
export function groupHolding(channel: Readonly<Channel>, setting: ChannelGroupSetting): number {
  return channel[CHANNEL_GROUP_SETTINGS[setting].property];
}
