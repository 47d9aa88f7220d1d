import { Controller, Get, Patch, Post } from '@nestjs/common';
import { CreateUserGroupService, UpdateUserGroupService } from './administration/change-user-group.service';
import {
  CreateUserGroupDto,
  GroupMembersDto,
  GroupMembershipDto,
  ListUserGroupsDto,
  SubgroupsDto,
  toNewUserGroup,
  toUserGroupChanges,
  toWantedMembers,
  UpdateGroupMembersDto,
  UpdateSubgroupsDto,
  UpdateUserGroupDto,
  UserGroupPathDto,
} from './user-groups.api';
import { UserGroupRecords } from './administration/user-group-records.service';
import { ExplainPermissionService } from './explaining/explain-permission.service';
import {
  ExplainActionsDto,
  type ExplainedAction,
  ExplainPermissionDto,
  explanationWire,
  type ExplanationWire,
  toExplainedObject,
} from './explaining/explaining.api';
import type { UserGroupWire } from './groups/group-records.api';
import { ReadGroupMembersService, UpdateGroupMembersService } from './members/group-members.service';
import type { Actor } from '../../platform/actor';
import { CurrentActor, NeedsScope, NoGuests } from '../../platform/http/decorators';
import type { RawJson } from '../../platform/http/envelope.interceptor';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';

/** User groups themselves; bots may use all endpoints. */
@Controller('api/v1/user_groups')
@NeedsScope('read', 'manage_people')
export class UserGroupsController {
  constructor(
    private readonly records: UserGroupRecords,
    private readonly creating: CreateUserGroupService,
    private readonly updating: UpdateUserGroupService,
  ) {}

  /** Lists user groups. */
  @Get()
  @NoGuests()
  list(@Parameters() dto: ListUserGroupsDto): { user_groups: RawJson<UserGroupWire[]> } {
    return { user_groups: this.records.list(dto.include_deactivated_groups) };
  }

  /** Creates a user group. */
  @Post('create')
  @NoGuests()
  async create(
    @CurrentActor() actor: Actor,
    @Parameters() dto: CreateUserGroupDto,
  ): Promise<{ group_id: number }> {
    return { group_id: await this.creating.create(actor, toNewUserGroup(dto)) };
  }

  /** Changes name, description or permissions of a user group. */
  @Patch(':user_group_id(\\d+)')
  @NoGuests()
  update(@CurrentActor() actor: Actor, @Parameters() dto: UpdateUserGroupDto): Promise<void> {
    return this.updating.update(actor, dto.user_group_id, toUserGroupChanges(dto));
  }

  /** Deactivates a user group. Guests are refused because they lack every permission, as in Zulip. */
  @Post(':user_group_id(\\d+)/deactivate')
  deactivate(@CurrentActor() actor: Actor, @Parameters() dto: UserGroupPathDto): Promise<void> {
    return this.updating.deactivate(actor, dto.user_group_id);
  }
}

/** Members and subgroups of user groups; bots may use all endpoints. */
@Controller('api/v1/user_groups/:user_group_id(\\d+)')
@NoGuests()
@NeedsScope('read', 'manage_people')
export class GroupMembersController {
  constructor(
    private readonly reading: ReadGroupMembersService,
    private readonly updating: UpdateGroupMembersService,
  ) {}

  /** Lists the members of a user group. */
  @Get('members')
  members(@Parameters() dto: GroupMembersDto): { members: number[] } {
    return { members: this.reading.members(dto.user_group_id, dto.direct_member_only) };
  }

  /** Reports whether a person is a member of a user group. */
  @Get('members/:user_id(\\d+)')
  async isMember(
    @CurrentActor() actor: Actor,
    @Parameters() dto: GroupMembershipDto,
  ): Promise<{ is_user_group_member: boolean }> {
    const { user_group_id: groupId, user_id: userId, direct_member_only: directOnly } = dto;
    return { is_user_group_member: await this.reading.isMember(actor, groupId, userId, directOnly) };
  }

  /** Lists the subgroups of a user group. */
  @Get('subgroups')
  subgroups(@Parameters() dto: SubgroupsDto): { subgroups: number[] } {
    return { subgroups: this.reading.subgroups(dto.user_group_id, dto.direct_subgroup_only) };
  }

  /** Adds members and subgroups to a user group, and removes others. */
  @Post('members')
  updateMembers(@CurrentActor() actor: Actor, @Parameters() dto: UpdateGroupMembersDto): Promise<void> {
    return this.updating.updateMembers(actor, dto.user_group_id, toWantedMembers(dto));
  }

  /** Adds subgroups to a user group, and removes others. */
  @Post('subgroups')
  updateSubgroups(@CurrentActor() actor: Actor, @Parameters() dto: UpdateSubgroupsDto): Promise<void> {
    return this.updating.updateSubgroups(actor, dto.user_group_id, {
      addSubgroups: dto.add,
      removeSubgroups: dto.delete,
    });
  }
}

/** Explains who may do what, and why; specific to this server. */
@Controller('api/v1/permissions')
@NeedsScope('read')
export class PermissionsController {
  constructor(private readonly explaining: ExplainPermissionService) {}

  /** Explains whether a person may do something. */
  @Get('explain')
  async explain(
    @CurrentActor() actor: Actor,
    @Parameters() dto: ExplainPermissionDto,
  ): Promise<ExplanationWire> {
    return explanationWire(
      await this.explaining.explain(actor, dto.user_id, dto.action, toExplainedObject(dto)),
    );
  }

  /** Explains for all actions on one object whether a person may perform them. */
  @Get('actions')
  async explainAll(
    @CurrentActor() actor: Actor,
    @Parameters() dto: ExplainActionsDto,
  ): Promise<{ readonly actions: readonly ExplainedAction[] }> {
    const explained = await this.explaining.explainAll(actor, dto.user_id, toExplainedObject(dto));
    return {
      actions: explained.map(([action, explanation]) => ({ action, ...explanationWire(explanation) })),
    };
  }
}
