import type { GroupSettingDefinition } from '../organization/organization-settings';
import type { UserGroup } from './user-group.entity';

/** A permission of a user group: what it accepts, and where it is kept (groups reference 4). */
export interface UserGroupSettingDefinition extends GroupSettingDefinition {
  /** Property of the group that holds the ID of the group that has the permission. */
  readonly property: keyof UserGroup & `can${string}Group`;
}

/** The permissions of a user group by their names on the wire, in the order in which they are checked. */
export const USER_GROUP_SETTINGS = {
  can_add_members_group: {
    property: 'canAddMembersGroup',
    default: 'creator',
    allowsNobody: true,
    allowsEveryone: false,
  },
  can_join_group: {
    property: 'canJoinGroup',
    default: 'role:nobody',
    allowsNobody: true,
    allowsEveryone: false,
  },
  can_leave_group: {
    property: 'canLeaveGroup',
    default: 'role:everyone',
    allowsNobody: true,
    allowsEveryone: true,
  },
  can_manage_group: {
    property: 'canManageGroup',
    default: 'creator',
    allowsNobody: true,
    allowsEveryone: false,
  },
  can_mention_group: {
    property: 'canMentionGroup',
    default: 'role:everyone',
    allowsNobody: true,
    allowsEveryone: true,
    refuses: ['role:owners'],
  },
  can_remove_members_group: {
    property: 'canRemoveMembersGroup',
    default: 'role:nobody',
    allowsNobody: true,
    allowsEveryone: false,
  },
} as const satisfies Record<string, UserGroupSettingDefinition>;

export type UserGroupSetting = keyof typeof USER_GROUP_SETTINGS;

export const USER_GROUP_SETTING_NAMES = Object.keys(USER_GROUP_SETTINGS) as UserGroupSetting[];
