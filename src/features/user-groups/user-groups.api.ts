import type { NewUserGroup, UserGroupChanges } from './administration/change-user-group.service';
import { MAX_GROUP_NAME_LENGTH } from './groups/group-records.api';
import {
  type ByUserGroupSetting,
  groupSettingChange,
  type GroupSettingChange,
  groupSettingValue,
  type GroupSettingValue,
  USER_GROUP_SETTING_NAMES,
  type UserGroupSetting,
} from './groups/group-settings';
import type { WantedMembers } from './members/group-members.service';
import { idList } from '../../platform/http/parameters/further-types';
import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';

/** Identifies a group by its ID in the path. */
export class UserGroupPathDto {
  /** ID of the user group. */
  @PathParameter() user_group_id!: number;
}

const optional = { optional: true } as const;
const GROUP_NAME = { minLength: 1, maxLength: MAX_GROUP_NAME_LENGTH };
const ids = idList();

/** Parameters of `POST /user_groups/create`. */
export class CreateUserGroupDto implements ByUserGroupSetting<GroupSettingValue> {
  /** Name of the group. */
  @Parameter(text(), { checked: GROUP_NAME }) name!: string;
  /** Description of the group. */
  @Parameter(text()) description!: string;
  /** IDs of the direct members. */
  @Parameter(ids, { example: [8, 9] }) members!: number[];
  /** IDs of the direct subgroups. */
  @Parameter(ids, { default: [], example: [11] }) subgroups!: number[];
  @Parameter(groupSettingValue(), optional) can_add_members_group?: GroupSettingValue;
  @Parameter(groupSettingValue(), optional) can_join_group?: GroupSettingValue;
  @Parameter(groupSettingValue(), optional) can_leave_group?: GroupSettingValue;
  @Parameter(groupSettingValue(), optional) can_manage_group?: GroupSettingValue;
  @Parameter(groupSettingValue(), optional) can_mention_group?: GroupSettingValue;
  @Parameter(groupSettingValue(), optional) can_remove_members_group?: GroupSettingValue;
}

/** The group described by the parameters. */
export function toNewUserGroup(dto: CreateUserGroupDto): NewUserGroup {
  return {
    name: dto.name,
    description: dto.description,
    memberIds: dto.members,
    subgroupIds: dto.subgroups,
    settings: settingsOf(dto),
  };
}

/** Parameters of `GET /user_groups`. */
export class ListUserGroupsDto {
  /** Whether to list deactivated groups as well. */
  @Parameter(json.boolean(), { default: false }) include_deactivated_groups!: boolean;
}

/** Parameters of `PATCH /user_groups/{user_group_id}`. */
export class UpdateUserGroupDto extends UserGroupPathDto implements ByUserGroupSetting<GroupSettingChange> {
  /** New name of the group. */
  @Parameter(text(), { ...optional, checked: GROUP_NAME }) name?: string;
  /** New description of the group. */
  @Parameter(text(), optional) description?: string;
  /** Only `false` has an effect: it reactivates the group. */
  @Parameter(json.boolean(), optional) deactivated?: boolean;
  @Parameter(groupSettingChange(), optional) can_add_members_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_join_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_leave_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_manage_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_mention_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_remove_members_group?: GroupSettingChange;
}

/** The changes that the parameters ask for; undefined means no change. */
export function toUserGroupChanges(dto: UpdateUserGroupDto): UserGroupChanges {
  return {
    name: dto.name,
    description: dto.description,
    isDeactivated: dto.deactivated,
    settings: settingsOf(dto),
  };
}

/** The permissions in the request. */
function settingsOf<Value>(
  dto: Readonly<Partial<Record<UserGroupSetting, Value>>>,
): Partial<Record<UserGroupSetting, Value>> {
  const given: Partial<Record<UserGroupSetting, Value>> = {};
  for (const setting of USER_GROUP_SETTING_NAMES) {
    if (dto[setting] !== undefined) given[setting] = dto[setting];
  }
  return given;
}

/** Parameters of `POST /user_groups/{user_group_id}/members`. */
export class UpdateGroupMembersDto extends UserGroupPathDto {
  /** IDs of accounts to add as members. */
  @Parameter(ids, { default: [], example: [8, 9] }) add!: number[];
  /** IDs of members to remove. */
  @Parameter(ids, { default: [], example: [8, 9] }) delete!: number[];
  /** IDs of groups to add as subgroups. */
  @Parameter(ids, { default: [], example: [11] }) add_subgroups!: number[];
  /** IDs of subgroups to remove. */
  @Parameter(ids, { default: [], example: [11] }) delete_subgroups!: number[];
}

/** Members and subgroups to add and remove. */
export function toWantedMembers(dto: UpdateGroupMembersDto): WantedMembers {
  return {
    add: dto.add,
    remove: dto.delete,
    addSubgroups: dto.add_subgroups,
    removeSubgroups: dto.delete_subgroups,
  };
}

/** Parameters of `POST /user_groups/{user_group_id}/subgroups`. */
export class UpdateSubgroupsDto extends UserGroupPathDto {
  /** IDs of groups to add as subgroups. */
  @Parameter(ids, { default: [], example: [11] }) add!: number[];
  /** IDs of subgroups to remove. */
  @Parameter(ids, { default: [], example: [11] }) delete!: number[];
}

/** Parameters of `GET /user_groups/{user_group_id}/members`. */
export class GroupMembersDto extends UserGroupPathDto {
  /** Whether to leave out members of subgroups. */
  @Parameter(json.boolean(), { default: false }) direct_member_only!: boolean;
}

/** Parameters of `GET /user_groups/{user_group_id}/members/{user_id}`. */
export class GroupMembershipDto extends GroupMembersDto {
  /** ID of the account. */
  @PathParameter() user_id!: number;
}

/** Parameters of `GET /user_groups/{user_group_id}/subgroups`. */
export class SubgroupsDto extends UserGroupPathDto {
  /** Whether to leave out subgroups of subgroups. */
  @Parameter(json.boolean(), { default: false }) direct_subgroup_only!: boolean;
}
