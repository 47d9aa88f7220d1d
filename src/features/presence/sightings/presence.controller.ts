import { Controller, Get, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, HumansOnly, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { PersonPresenceDto, ReportPresenceDto, toPresenceQuestion } from './presence.api';
import {
  type PersonPresenceAnswer,
  PresenceListService,
  type PresenceListWire,
} from './presence-list.service';
import { PresenceService } from './presence.service';

/** Who is online. */
@Controller('api/v1')
@NeedsScope('read', 'send')
export class PresenceController {
  constructor(
    private readonly presence: PresenceService,
    private readonly lists: PresenceListService,
  ) {}

  /** Reports that the caller is online, and returns who else is. */
  @Post('users/me/presence')
  @HumansOnly()
  async report(
    @CurrentActor() actor: Actor,
    @Parameters() dto: ReportPresenceDto,
  ): Promise<Partial<PresenceListWire>> {
    await this.presence.report(actor, dto.status);
    return dto.ping_only ? {} : this.lists.listFor(actor, toPresenceQuestion(dto));
  }

  /** Returns when everyone was online, by email address. */
  @Get('realm/presence')
  all(@CurrentActor() actor: Actor) {
    return this.lists.all(actor);
  }

  /** Returns when a person was online. */
  @Get('users/:user_id_or_email/presence')
  one(@CurrentActor() actor: Actor, @Parameters() dto: PersonPresenceDto): Promise<PersonPresenceAnswer> {
    return this.lists.one(actor, dto.user_id_or_email);
  }
}
