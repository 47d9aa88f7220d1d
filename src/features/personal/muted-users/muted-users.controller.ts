import { Controller, Delete, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { MutedUserDto } from './muted-users.api';
import { MutedUsersService } from './muted-users.service';

/** Whom the caller does not want to hear. */
@Controller('api/v1/users/me/muted_users/:muted_user_id(\\d+)')
@NeedsScope('send')
export class MutedUsersController {
  constructor(private readonly mutedUsers: MutedUsersService) {}

  /** Mutes a person. */
  @Post()
  mute(@CurrentActor() actor: Actor, @Parameters() dto: MutedUserDto): Promise<void> {
    return this.mutedUsers.mute(actor, dto.muted_user_id);
  }

  /** Unmutes a person. */
  @Delete()
  unmute(@CurrentActor() actor: Actor, @Parameters() dto: MutedUserDto): Promise<void> {
    return this.mutedUsers.unmute(actor, dto.muted_user_id);
  }
}
