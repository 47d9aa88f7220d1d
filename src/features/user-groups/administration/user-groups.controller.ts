import { Controller, Get, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope, NoGuests } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import type { RawJson } from '../../../platform/http/envelope.interceptor';
import { CreateUserGroupService } from './create-user-group.service';
import { UserGroupRecords } from './user-group-records.service';
import { UpdateUserGroupService } from './update-user-group.service';
import type { UserGroupWire } from '../groups/group-records.api';
import {
  CreateUserGroupDto,
  ListUserGroupsDto,
  toNewUserGroup,
  toUserGroupChanges,
  UpdateUserGroupDto,
} from './group-administration.api';
import { UserGroupPathDto } from '../user-groups.api';

/** User groups as such; bots may call all of it. */
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

  /**
   * Deactivates a user group. Guests are refused by lacking every permission, as by the interface that this follows.
   */
  @Post(':user_group_id(\\d+)/deactivate')
  deactivate(@CurrentActor() actor: Actor, @Parameters() dto: UserGroupPathDto): Promise<void> {
    return this.updating.deactivate(actor, dto.user_group_id);
  }
}
