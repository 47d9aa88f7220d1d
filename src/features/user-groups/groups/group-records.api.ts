import type { RawJson } from '../../../platform/http/envelope.interceptor';
import type { GroupSettingValue, UserGroupSetting } from './group-settings';
import type { NamedGroup } from './group.directory';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** Longest name of a group, in code points. */
export const MAX_GROUP_NAME_LENGTH = 100;

/** Values of all permissions of a user group. */
export type UserGroupSettingValues = Readonly<Record<UserGroupSetting, GroupSettingValue>>;

/** A user group as the interface shows it; clients refuse other keys. */
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

/** The part of a group that its record shows as it is stored. */
export type UserGroupRow = Pick<
  NamedGroup,
  'id' | 'name' | 'creatorId' | 'dateCreated' | 'description' | 'isSystem' | 'isDeactivated'
>;

/** @param memberIds active members, ascending; so are the subgroups */
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

/** Something that rests on a group and keeps it from being deactivated. */
export type GroupObjection =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'realm'; readonly settings: readonly string[] };

/** `realm_user_groups`: the named groups that the client is given, system groups included. */
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

/** What a property of a group can be: name, description, whether it is deactivated, a permission. */
export type UserGroupPropertyValue = string | boolean | GroupSettingValue;

/** A group came into sight: made, or brought back for clients that show active groups only. */
export const groupAdded = defineEvent<{ group: UserGroupWire }>('user_group', 'add');

/** A property of a group changed; `data` holds that property. */
export const groupUpdated = defineEvent<{
  group_id: number;
  data: Readonly<Record<string, UserGroupPropertyValue>>;
}>('user_group', 'update');

/** A group was deactivated, for clients that show active groups only. */
export const groupRemoved = defineEvent<{ group_id: number }>('user_group', 'remove');

/** People became direct members of a group. */
export const groupMembersAdded = defineEvent<GroupMembersPayload>('user_group', 'add_members');

/** People are no longer direct members of a group. */
export const groupMembersRemoved = defineEvent<GroupMembersPayload>('user_group', 'remove_members');

/** Groups became direct subgroups of a group. */
export const subgroupsAdded = defineEvent<SubgroupsPayload>('user_group', 'add_subgroups');

/** Groups are no longer direct subgroups of a group. */
export const subgroupsRemoved = defineEvent<SubgroupsPayload>('user_group', 'remove_subgroups');

/** A name has to have something to read. */
export class GroupNameEmpty extends refusal("User group name can't be empty!") {}

/** A name is longer than what fits. */
export class GroupNameTooLong extends ApiError {
  constructor(maxLength: number) {
    super(`User group name cannot exceed ${maxLength} characters.`);
  }
}

/** The name of a group contains a control or invisible character. */
export class GroupNameCharacterInvalid extends ApiError {
  /** @param position of the first such character, counted from 1 in code points */
  constructor(position: number) {
    super(`Invalid character in user group name, at position ${position}.`);
  }
}

/** Some beginnings mean something else where groups are named. */
export class GroupNamePrefixReserved extends ApiError {
  constructor(prefix: string) {
    super(`User group name cannot start with '${prefix}'.`);
  }
}

/** Another group has the name, deactivated groups included. */
export class GroupNameTaken extends ApiError {
  constructor(name: string) {
    super(`User group '${name}' already exists.`);
  }
}

/** A change that changes nothing. */
export class NoNewGroupData extends refusal('No new data supplied') {}

/** None of the lists of a membership change says anything. */
export class NoMembersNamed extends ApiError {
  constructor(sentence: string) {
    super(`Nothing to do. ${sentence}`);
  }
}

/** A person to be added is a member already. */
export class AlreadyGroupMember extends ApiError {
  constructor(userId: number) {
    super(`User ${userId} is already a member of this group`);
  }
}

/** A person to be removed is not a member. */
export class NoSuchGroupMember extends ApiError {
  constructor(userId: number) {
    super(`There is no member '${userId}' in this user group`);
  }
}

/** A group that was to be added is there. */
export class AlreadySubgroup extends ApiError {
  constructor(groupId: number) {
    super(`User group ${groupId} is already a subgroup of this group.`);
  }
}

/** A group that was to be removed is not there. */
export class NotASubgroup extends ApiError {
  constructor(groupId: number) {
    super(`User group ${groupId} is not a subgroup of this group.`);
  }
}

/** A group would hold itself. */
export class SubgroupCycle extends ApiError {
  constructor(groupId: number) {
    super(`User group ${groupId} is already a subgroup of one of the passed subgroups.`);
  }
}

/** Permissions or other groups rest on the group; `objections` says which. */
export class GroupInUse extends ApiError {
  constructor(objections: readonly GroupObjection[]) {
    super('Cannot deactivate user group in use.', {
      code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
      data: { objections },
    });
  }
}

/** A question about a permission names an action that there is not, at least not for this kind of object. */
export class InvalidAction extends ApiError {
  /** @param names of the actions that there are, sorted */
  constructor(names: readonly string[]) {
    super('Invalid action', { data: { actions: names } });
  }
}

/** A group ID names no group (integer form). */
export class InvalidUserGroup extends refusal('Invalid user group') {}

/** A group ID inside an object names no group. */
export class InvalidUserGroupId extends ApiError {
  constructor(groupId: number) {
    super(`Invalid user group ID: ${groupId}`);
  }
}

/** The group exists but is deactivated. */
export class UserGroupDeactivated extends refusal('User group is deactivated.') {}

/** A user ID names no active account. */
export class InvalidUserId extends ApiError {
  constructor(userId: number) {
    super(`Invalid user ID: ${userId}`);
  }
}

/** The value of a setting is the ID of no group. */
export class InvalidSettingGroup extends ApiError {
  /** @param expected what a right value looks like */
  constructor(expected: string) {
    super('Invalid user group', { data: { expected } });
  }
}

/** The setting takes system groups only. */
export class SystemGroupRequired extends ApiError {
  /** @param expected what a right value looks like */
  constructor(setting: string, expected: string) {
    super(`'${setting}' must be a system user group.`, {
      code: 'SYSTEM_GROUP_REQUIRED',
      data: { setting_name: setting, expected },
    });
  }
}

/** The setting refuses this system group. */
export class GroupRefusedBySetting extends ApiError {
  /** @param expected what a right value looks like */
  constructor(setting: string, groupName: string, expected: string) {
    super(`'${setting}' setting cannot be set to '${groupName}' group.`, { data: { expected } });
  }
}

/** The setting takes only groups whose members are managed by administrators. */
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
