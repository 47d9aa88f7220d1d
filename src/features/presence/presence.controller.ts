import { Controller, Get, Post } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { CurrentActor, HumansOnly } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { PersonPresenceDto, ReportPresenceDto, toPresenceQuestion } from './presence.dto';
import type { PresenceListWire } from './presence-list.service';
import { ReadPresenceService } from './read-presence.service';
import { PresenceService } from './presence.service';

/** Who is there. */
@Controller('api/v1')
export class PresenceController {
  constructor(
    private readonly presence: PresenceService,
    private readonly reading: ReadPresenceService,
  ) {}

  /** Tells that the caller is there, and answers with who else is. */
  @Post('users/me/presence')
  @HumansOnly()
  async report(
    @CurrentActor() actor: Actor,
    @Parameters() dto: ReportPresenceDto,
  ): Promise<Partial<PresenceListWire>> {
    await this.presence.report(actor, dto.status);
    return dto.ping_only ? {} : this.reading.list(actor, toPresenceQuestion(dto));
  }

  /** Tells when everybody was there, by their addresses. */
  @Get('realm/presence')
  all(@CurrentActor() actor: Actor) {
    return this.reading.all(actor);
  }

  /** Tells when somebody was there. */
  @Get('users/:user_id_or_email/presence')
  async one(@CurrentActor() actor: Actor, @Parameters() dto: PersonPresenceDto) {
    return { presence: await this.reading.one(actor, dto.user_id_or_email) };
  }
}
