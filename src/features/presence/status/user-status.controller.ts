import { Controller, Get, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, HumansOnly, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { GetStatusDto, toRequestedStatus, UpdateOwnStatusDto, UpdateStatusDto } from './user-status.api';
import { UserStatusService } from './user-status.service';

/** People's statuses. */
@Controller('api/v1/users')
@NeedsScope('read', 'send')
export class UserStatusController {
  constructor(private readonly statuses: UserStatusService) {}

  /** Returns the status of a person. */
  @Get(':user_id(\\d+)/status')
  async get(@CurrentActor() actor: Actor, @Parameters() dto: GetStatusDto) {
    return { status: await this.statuses.get(actor, dto.user_id) };
  }

  /** Changes the caller's own status. */
  @Post('me/status')
  @HumansOnly()
  updateOwn(@CurrentActor() actor: Actor, @Parameters() dto: UpdateOwnStatusDto): Promise<void> {
    return this.statuses.update(actor, actor.userId, { ...toRequestedStatus(dto), isAway: dto.away });
  }

  /** Changes the status of a person; for administrators, including bots. */
  @Post(':user_id(\\d+)/status')
  @NeedsScope('manage_people')
  update(@CurrentActor() actor: Actor, @Parameters() dto: UpdateStatusDto): Promise<void> {
    return this.statuses.update(actor, dto.user_id, toRequestedStatus(dto));
  }
}
