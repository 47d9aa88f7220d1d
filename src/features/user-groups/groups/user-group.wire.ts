import type { RawJson } from '../../../platform/http/success-envelope';
import type { GroupSettingValue } from './group-setting-value';
import type { NamedGroup } from './group.directory';
import type { UserGroupSetting } from './user-group-settings';

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
