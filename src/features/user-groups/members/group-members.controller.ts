import { Controller, Get, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope, NoGuests } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { ReadGroupMembersService } from './read-group-members.service';
import { UpdateGroupMembersService } from './update-group-members.service';
import {
  GroupMembersDto,
  GroupMembershipDto,
  SubgroupsDto,
  toWantedMembers,
  UpdateGroupMembersDto,
  UpdateSubgroupsDto,
} from './group-members.api';

/** Who and what is in user groups; bots may call all of it. */
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

  /** Tells whether a person is a member of a user group. */
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
