import type { RawJson } from '../../../platform/http/envelope.interceptor';
import type { GroupSettingValue, UserGroupSetting } from './group-settings';
import type { NamedGroup } from './group.directory';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** Maximum length of a group's name, in code points. */
export const MAX_GROUP_NAME_LENGTH = 100;

/** Values of all permissions of a user group. */
export type UserGroupSettingValues = Readonly<Record<UserGroupSetting, GroupSettingValue>>;

/** A user group as sent to clients, which refuse unknown keys. */
export interface UserGroupWire extends UserGroupSettingValues {
  readonly id: number;
  readonly name: string;
  readonly creator_id: number | null;
  readonly date_created: number | null;
  readonly description: string;
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
  readonly is_system_group: boolean;
  readonly deactivated: boolean;
}

/** The stored properties of a group that its record contains. */
export type UserGroupRow = Pick<
  NamedGroup,
  'id' | 'name' | 'creatorId' | 'dateCreated' | 'description' | 'isSystem' | 'isDeactivated'
>;

/** @param memberIds active members, ascending, like the subgroups */
export function userGroupWire(
  group: UserGroupRow,
  memberIds: readonly number[],
  subgroupIds: readonly number[],
  settings: UserGroupSettingValues,
): UserGroupWire {
  return {
    id: group.id,
    name: group.name,
    creator_id: group.creatorId,
    date_created: group.dateCreated,
    description: group.description,
    members: memberIds,
    direct_subgroup_ids: subgroupIds,
    is_system_group: group.isSystem,
    can_add_members_group: settings.can_add_members_group,
    can_join_group: settings.can_join_group,
    can_leave_group: settings.can_leave_group,
    can_manage_group: settings.can_manage_group,
    can_mention_group: settings.can_mention_group,
    can_remove_members_group: settings.can_remove_members_group,
    deactivated: group.isDeactivated,
  };
}

/** A dependency on a group that prevents its deactivation. */
export type GroupObjection =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'realm'; readonly settings: readonly string[] };

/** `realm_user_groups`: the named groups that the client may see, including system groups. */
export function userGroupsState(groups: RawJson<UserGroupWire[]>) {
  return { realm_user_groups: groups };
}

interface GroupMembersPayload {
  group_id: number;
  user_ids: readonly number[];
}

interface SubgroupsPayload {
  group_id: number;
  direct_subgroup_ids: readonly number[];
}

/** The value of a group's property: name, description, whether it is deactivated, or a permission. */
export type UserGroupPropertyValue = string | boolean | GroupSettingValue;

/** A group was created, or reactivated for clients that only show active groups. */
export const groupAdded = defineEvent<{ group: UserGroupWire }>('user_group', 'add');

/** A property of a group changed; `data` contains that property. */
export const groupUpdated = defineEvent<{
  group_id: number;
  data: Readonly<Record<string, UserGroupPropertyValue>>;
}>('user_group', 'update');

/** A group was deactivated, for clients that only show active groups. */
export const groupRemoved = defineEvent<{ group_id: number }>('user_group', 'remove');

/** People became direct members of a group. */
export const groupMembersAdded = defineEvent<GroupMembersPayload>('user_group', 'add_members');

/** People are no longer direct members of a group. */
export const groupMembersRemoved = defineEvent<GroupMembersPayload>('user_group', 'remove_members');

/** Groups became direct subgroups of a group. */
export const subgroupsAdded = defineEvent<SubgroupsPayload>('user_group', 'add_subgroups');

/** Groups are no longer direct subgroups of a group. */
export const subgroupsRemoved = defineEvent<SubgroupsPayload>('user_group', 'remove_subgroups');

/** The name of a group is empty or white space. */
export class GroupNameEmpty extends refusal("User group name can't be empty!") {}

/** The name of a group exceeds the maximum length. */
export class GroupNameTooLong extends ApiError {
  constructor(maxLength: number) {
    super(`User group name cannot exceed ${maxLength} characters.`);
  }
}

/** The name of a group contains a control or invisible character. */
export class GroupNameCharacterInvalid extends ApiError {
  /** @param position of the first such character, from 1, in code points */
  constructor(position: number) {
    super(`Invalid character in user group name, at position ${position}.`);
  }
}

/** The name starts with a prefix that is reserved for mentions and searches. */
export class GroupNamePrefixReserved extends ApiError {
  constructor(prefix: string) {
    super(`User group name cannot start with '${prefix}'.`);
  }
}

/** Another group has the name, possibly a deactivated one. */
export class GroupNameTaken extends ApiError {
  constructor(name: string) {
    super(`User group '${name}' already exists.`);
  }
}

/** A request without any changes. */
export class NoNewGroupData extends refusal('No new data supplied') {}

/** All lists of a membership change are empty. */
export class NoMembersNamed extends ApiError {
  constructor(sentence: string) {
    super(`Nothing to do. ${sentence}`);
  }
}

/** A person to add is already a member. */
export class AlreadyGroupMember extends ApiError {
  constructor(userId: number) {
    super(`User ${userId} is already a member of this group`);
  }
}

/** A person to remove is not a member. */
export class NoSuchGroupMember extends ApiError {
  constructor(userId: number) {
    super(`There is no member '${userId}' in this user group`);
  }
}

/** A group to add is already a subgroup. */
export class AlreadySubgroup extends ApiError {
  constructor(groupId: number) {
    super(`User group ${groupId} is already a subgroup of this group.`);
  }
}

/** A group to remove is not a subgroup. */
export class NotASubgroup extends ApiError {
  constructor(groupId: number) {
    super(`User group ${groupId} is not a subgroup of this group.`);
  }
}

/** A group would contain itself. */
export class SubgroupCycle extends ApiError {
  constructor(groupId: number) {
    super(`User group ${groupId} is already a subgroup of one of the passed subgroups.`);
  }
}

/** Permissions or other groups depend on the group; `objections` lists them. */
export class GroupInUse extends ApiError {
  constructor(objections: readonly GroupObjection[]) {
    super('Cannot deactivate user group in use.', {
      code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
      data: { objections },
    });
  }
}

/** The action does not exist for this kind of object. */
export class InvalidAction extends ApiError {
  /** @param names of the existing actions, sorted */
  constructor(names: readonly string[]) {
    super('Invalid action', { data: { actions: names } });
  }
}

/** The ID belongs to no group (integer form). */
export class InvalidUserGroup extends refusal('Invalid user group') {}

/** An ID inside an object belongs to no group. */
export class InvalidUserGroupId extends ApiError {
  constructor(groupId: number) {
    super(`Invalid user group ID: ${groupId}`);
  }
}

/** The group exists but is deactivated. */
export class UserGroupDeactivated extends refusal('User group is deactivated.') {}

/** The ID belongs to no active account. */
export class InvalidUserId extends ApiError {
  constructor(userId: number) {
    super(`Invalid user ID: ${userId}`);
  }
}

/** The value of a setting is an ID of no group. */
export class InvalidSettingGroup extends ApiError {
  /** @param expected describes valid values */
  constructor(expected: string) {
    super('Invalid user group', { data: { expected } });
  }
}

/** The setting accepts only system groups. */
export class SystemGroupRequired extends ApiError {
  /** @param expected describes valid values */
  constructor(setting: string, expected: string) {
    super(`'${setting}' must be a system user group.`, {
      code: 'SYSTEM_GROUP_REQUIRED',
      data: { setting_name: setting, expected },
    });
  }
}

/** The setting does not accept this system group. */
export class GroupRefusedBySetting extends ApiError {
  /** @param expected describes valid values */
  constructor(setting: string, groupName: string, expected: string) {
    super(`'${setting}' setting cannot be set to '${groupName}' group.`, { data: { expected } });
  }
}

/** The setting accepts only groups whose members are managed by administrators. */
export class MembersNotKept extends ApiError {
  constructor(setting: string) {
    super(
      `'${setting}' must be a group whose membership can only be managed by organization administrators.`,
    );
  }
}

/** The `old` value of a change does not match what is stored. */
export class OldValueMismatch extends refusal("'old' value does not match the expected value.", {
  code: 'EXPECTATION_MISMATCH',
  data: { field_name: 'old' },
}) {}
