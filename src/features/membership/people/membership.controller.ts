import { Controller, Delete, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import {
  AdministratorOnly,
  CurrentActor,
  NeedsScope,
  NotForNamedKeys,
  RecentSignIn,
  type RequireRecentSignIn,
} from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import {
  CreateUserDto,
  DeactivateUserDto,
  toAccountUpdate,
  UpdateUserByEmailDto,
  UpdateUserDto,
  UserIdDto,
} from './people-changes.api';
import { CreateUserService } from './create-user.service';
import { AccountActivityService } from './account-activity.service';
import { CannotDeleteOnDeactivation } from '../membership.api';
import { UpdateAccountService } from './update-account.service';

/** Joining and leaving the organization, and what administrators change about people. */
@Controller('api/v1/users')
@NeedsScope('manage_people')
export class MembershipController {
  constructor(
    private readonly createUser: CreateUserService,
    private readonly activity: AccountActivityService,
    private readonly updateAccount: UpdateAccountService,
  ) {}

  /** Creates an account for a person. */
  @Post()
  @AdministratorOnly()
  async create(@CurrentActor() actor: Actor, @Parameters() dto: CreateUserDto) {
    const { email, password, full_name: fullName } = dto;
    return { user_id: await this.createUser.create(actor, { email, password, fullName }) };
  }

  /** Deactivates the caller's own account. */
  @Delete('me')
  @NotForNamedKeys()
  deactivateOwn(@CurrentActor() actor: Actor): Promise<void> {
    return this.activity.deactivateOwn(actor);
  }

  /** Deactivates an account. */
  @Delete(':user_id(\\d+)')
  async deactivate(@CurrentActor() actor: Actor, @Parameters() dto: DeactivateUserDto): Promise<void> {
    const asked = Object.entries(dto.actions ?? {}).find(([, isAsked]) => isAsked);
    if (asked) throw new CannotDeleteOnDeactivation(asked[0]);
    await this.activity.deactivatePerson(actor, dto.user_id);
  }

  /** Reactivates an account. */
  @Post(':user_id(\\d+)/reactivate')
  reactivate(@CurrentActor() actor: Actor, @Parameters() dto: UserIdDto): Promise<void> {
    return this.activity.reactivate(actor, dto.user_id);
  }

  /** Changes a person's name, role or profile. */
  @Patch(':user_id(\\d+)')
  async update(
    @CurrentActor() actor: Actor,
    @Parameters() dto: UpdateUserDto,
    @RecentSignIn() requireRecent: RequireRecentSignIn,
  ): Promise<void> {
    requireRecent(dto.role !== undefined);
    return this.updateAccount.update(actor, dto.user_id, toAccountUpdate(dto));
  }

  /** Changes a person's name, role or profile, found by their address. */
  @Patch(':email')
  async updateByEmail(
    @CurrentActor() actor: Actor,
    @Parameters() dto: UpdateUserByEmailDto,
    @RecentSignIn() requireRecent: RequireRecentSignIn,
  ): Promise<void> {
    requireRecent(dto.role !== undefined);
    return this.updateAccount.updateByEmail(actor, dto.email, toAccountUpdate(dto));
  }
}
