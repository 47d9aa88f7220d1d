import { keysOf } from '../../../platform/collections';
import type { GroupSettingDefinition } from '../../organization-settings/organization-settings.module';
import type { UserGroup } from './user-group.entity';

/** A permission of a user group: what it accepts, and where it is kept. */
export interface UserGroupSettingDefinition extends GroupSettingDefinition {
  /** Property of the group that holds the ID of the group that has the permission. */
  readonly property: keyof UserGroup & `can${string}Group`;
}

/** The permissions of a user group by their names on the wire, in the order in which they are checked. */
export const USER_GROUP_SETTINGS = {
  /** Who adds members. */
  can_add_members_group: {
    property: 'canAddMembersGroup',
    default: 'creator',
    allowsNobody: true,
    allowsEveryone: false,
  },
  /** Who joins. */
  can_join_group: {
    property: 'canJoinGroup',
    default: 'role:nobody',
    allowsNobody: true,
    allowsEveryone: false,
  },
  /** Which members may leave. */
  can_leave_group: {
    property: 'canLeaveGroup',
    default: 'role:everyone',
    allowsNobody: true,
    allowsEveryone: true,
  },
  /** Who changes the group, its members included. */
  can_manage_group: {
    property: 'canManageGroup',
    default: 'creator',
    allowsNobody: true,
    allowsEveryone: false,
  },
  /** Who mentions the group. */
  can_mention_group: {
    property: 'canMentionGroup',
    default: 'role:everyone',
    allowsNobody: true,
    allowsEveryone: true,
    refuses: ['role:owners'],
  },
  /** Who removes members. */
  can_remove_members_group: {
    property: 'canRemoveMembersGroup',
    default: 'role:nobody',
    allowsNobody: true,
    allowsEveryone: false,
  },
} as const satisfies Record<string, UserGroupSettingDefinition>;

/** Name of a permission of a group. */
export type UserGroupSetting = keyof typeof USER_GROUP_SETTINGS;

/** Something for permissions of a user group, by their names. What the permissions are goes with the names. */
export type ByUserGroupSetting<Value> = { [Name in keyof typeof USER_GROUP_SETTINGS]?: Value };

/** The permissions of a group by name. */
export const USER_GROUP_SETTING_NAMES = keysOf(USER_GROUP_SETTINGS);
