import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import {
  DeleteScheduledMessageDto,
  EditScheduledMessageDto,
  type ScheduledMessageWire,
  ScheduleMessageDto,
} from './scheduled-messages.api';
import { ScheduledMessagesService } from './scheduled-messages.service';

/** The caller's own messages that are to be sent later. */
@Controller('api/v1/scheduled_messages')
@NeedsScope('read', 'send')
export class ScheduledMessagesController {
  constructor(private readonly messages: ScheduledMessagesService) {}

  /** Lists scheduled messages, unsent and failed, by due time. */
  @Get()
  async list(@CurrentActor() actor: Actor): Promise<{ scheduled_messages: ScheduledMessageWire[] }> {
    return { scheduled_messages: await this.messages.list(actor) };
  }

  /** Schedules a message. It is refused where it could not be sent now, and checked again at its time. */
  @Post()
  async schedule(
    @CurrentActor() actor: Actor,
    @Parameters() input: ScheduleMessageDto,
  ): Promise<{ scheduled_message_id: number }> {
    const id = await this.messages.schedule(actor, {
      kind: kindOf(input.type),
      to: input.to,
      topic: input.topic,
      content: input.content,
      deliverAt: input.scheduled_delivery_timestamp,
      isReadBySender: input.read_by_sender,
    });
    return { scheduled_message_id: id };
  }

  /**
   * Changes a scheduled message; one that could not be sent is tried again.
   * @answers 404 the caller has no such scheduled message
   */
  @Patch(':scheduled_message_id(\\d+)')
  edit(@CurrentActor() actor: Actor, @Parameters() input: EditScheduledMessageDto): Promise<void> {
    return this.messages.edit(actor, input.scheduled_message_id, {
      kind: input.type && kindOf(input.type),
      to: input.to,
      topic: input.topic,
      content: input.content,
      deliverAt: input.scheduled_delivery_timestamp,
    });
  }

  /**
   * Deletes a scheduled message.
   * @answers 404 the caller has no such scheduled message
   */
  @Delete(':scheduled_message_id(\\d+)')
  remove(@CurrentActor() actor: Actor, @Parameters() input: DeleteScheduledMessageDto): Promise<void> {
    return this.messages.remove(actor, input.scheduled_message_id);
  }
}

function kindOf(type: ScheduleMessageDto['type']): 'channel' | 'direct' {
  return type === 'stream' || type === 'channel' ? 'channel' : 'direct';
}
