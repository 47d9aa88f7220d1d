import { Controller, Get } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope, OptionalCredentials } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { ReadUsersService } from './read-users.service';
import { GetUserByEmailDto, GetUserDto, ListUsersDto, toRecordOptions } from './user-records.api';

/** Reading user records. */
@Controller('api/v1/users')
@NeedsScope('read')
export class UsersController {
  constructor(private readonly users: ReadUsersService) {}

  /** Lists people and bots; without an account, where the organization is open to the web. */
  @Get()
  @OptionalCredentials()
  async list(@CurrentActor() actor: Actor | null, @Parameters() dto: ListUsersDto) {
    const members = actor
      ? await this.users.list(actor, toRecordOptions(dto), dto.user_ids)
      : await this.users.listForAnybody(dto.user_ids);
    return { members };
  }

  /** Shows the caller's own record. */
  @Get('me')
  me(@CurrentActor() actor: Actor) {
    return this.users.own(actor);
  }

  /** Shows a person or bot. */
  @Get(':user_id(\\d+)')
  async get(@CurrentActor() actor: Actor, @Parameters() dto: GetUserDto) {
    return { user: await this.users.byId(actor, dto.user_id, toRecordOptions(dto)) };
  }

  /** Shows a person or bot, found by their address. */
  @Get(':email')
  async getByEmail(@CurrentActor() actor: Actor, @Parameters() dto: GetUserByEmailDto) {
    return { user: await this.users.byEmail(actor, dto.email, toRecordOptions(dto)) };
  }
}
