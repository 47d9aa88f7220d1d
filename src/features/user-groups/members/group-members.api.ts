import { idList } from '../../../platform/http/parameters/id-list';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { UserGroupPathDto } from '../user-groups.api';
import type { WantedMembers } from './update-group-members.service';

const ids = idList();

/** Parameters of `POST /user_groups/{user_group_id}/members`. */
export class UpdateGroupMembersDto extends UserGroupPathDto {
  /** IDs of accounts to become members. */
  @Parameter(ids, { default: [], example: [8, 9] }) add!: number[];
  /** IDs of members who are to be none. */
  @Parameter(ids, { default: [], example: [8, 9] }) delete!: number[];
  /** IDs of groups to become subgroups. */
  @Parameter(ids, { default: [], example: [11] }) add_subgroups!: number[];
  /** IDs of subgroups that are to be none. */
  @Parameter(ids, { default: [], example: [11] }) delete_subgroups!: number[];
}

/** Who is to come and go, people and groups. */
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
  /** IDs of groups to become subgroups. */
  @Parameter(ids, { default: [], example: [11] }) add!: number[];
  /** IDs of subgroups that are to be none. */
  @Parameter(ids, { default: [], example: [11] }) delete!: number[];
}

/** Parameters of `GET /user_groups/{user_group_id}/members`. */
export class GroupMembersDto extends UserGroupPathDto {
  /** Whether members of subgroups are left out. */
  @Parameter(json.boolean(), { default: false }) direct_member_only!: boolean;
}

/** Parameters of `GET /user_groups/{user_group_id}/members/{user_id}`. */
export class GroupMembershipDto extends GroupMembersDto {
  /** ID of the account. */
  @PathParameter() user_id!: number;
}

/** Parameters of `GET /user_groups/{user_group_id}/subgroups`. */
export class SubgroupsDto extends UserGroupPathDto {
  /** Whether subgroups of subgroups are left out. */
  @Parameter(json.boolean(), { default: false }) direct_subgroup_only!: boolean;
}
