import { Controller, Get, Post } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { CurrentActor, HumansOnly } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { PersonPresenceDto, ReportPresenceDto, toPresenceQuestion } from './presence.dto';
import { ReadPresenceService } from './read-presence.service';
import { PresenceService } from './presence.service';

/** Who is there. */
@Controller('api/v1')
export class PresenceController {
  constructor(
    private readonly presence: PresenceService,
    private readonly reading: ReadPresenceService,
  ) {}

  @Post('users/me/presence')
  @HumansOnly()
  async report(@CurrentActor() actor: Actor, @Parameters() dto: ReportPresenceDto) {
    await this.presence.report(actor, dto.status);
    return dto.ping_only ? {} : this.reading.list(actor, toPresenceQuestion(dto));
  }

  @Get('realm/presence')
  all(@CurrentActor() actor: Actor) {
    return this.reading.all(actor);
  }

  @Get('users/:user_id_or_email/presence')
  async one(@CurrentActor() actor: Actor, @Parameters() dto: PersonPresenceDto) {
    return { presence: await this.reading.one(actor, dto.user_id_or_email) };
  }
}
