import { Controller, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { AddSubmessageDto } from './widgets.api';
import { SubmessagesService } from './submessages.service';

/** Taking part in polls, to-do lists and other widgets. */
@Controller('api/v1/submessage')
@NeedsScope('send')
export class WidgetsController {
  constructor(private readonly submessages: SubmessagesService) {}

  /** Attaches something to a message: a vote in a poll, a new task in a to-do list. */
  @Post()
  add(@CurrentActor() actor: Actor, @Parameters() input: AddSubmessageDto): Promise<void> {
    const { message_id: messageId, msg_type: msgType, content } = input;
    return this.submessages.add(actor, messageId, { msgType, content });
  }
}
