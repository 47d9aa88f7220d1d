import { Controller, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, KeepsToChannels, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { EditTypingService, TypingService } from './typing.service';
import { EditTypingDto, toTypingTarget, TypingDto } from './typing.api';

/** Typing notifications. */
@Controller('api/v1')
@NeedsScope('send')
export class TypingController {
  constructor(
    private readonly typing: TypingService,
    private readonly edits: EditTypingService,
  ) {}

  /** Reports that the caller started or stopped typing a message. */
  @Post('typing')
  @KeepsToChannels()
  notify(@CurrentActor() actor: Actor, @Parameters() dto: TypingDto): Promise<void> {
    return this.typing.notify(actor, dto.op, toTypingTarget(dto));
  }

  /** Reports that the caller started or stopped editing a message. */
  @Post('messages/:message_id(\\d+)/typing')
  @KeepsToChannels()
  notifyOfEdit(@CurrentActor() actor: Actor, @Parameters() dto: EditTypingDto): Promise<void> {
    return this.edits.notify(actor, dto.op, dto.message_id);
  }
}
