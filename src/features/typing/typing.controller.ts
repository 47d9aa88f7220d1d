import { Controller, Post } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { CurrentActor } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { EditTypingService } from './edit-typing.service';
import { EditTypingDto, toTypingTarget, TypingDto } from './typing.dto';
import { TypingService } from './typing.service';

/** That somebody types, for whoever looks at the conversation just now. */
@Controller('api/v1')
export class TypingController {
  constructor(
    private readonly typing: TypingService,
    private readonly edits: EditTypingService,
  ) {}

  /** Tells that the caller begins or stops to write a message. */
  @Post('typing')
  notify(@CurrentActor() actor: Actor, @Parameters() dto: TypingDto): Promise<void> {
    return this.typing.notify(actor, dto.op, toTypingTarget(dto));
  }

  /** Tells that the caller begins or stops to edit a message. */
  @Post('messages/:message_id(\\d+)/typing')
  notifyOfEdit(@CurrentActor() actor: Actor, @Parameters() dto: EditTypingDto): Promise<void> {
    return this.edits.notify(actor, dto.op, dto.message_id);
  }
}
