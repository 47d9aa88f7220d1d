import { Controller, Delete, Get, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { AddReminderDto, DeleteReminderDto, type ReminderWire } from './reminders.api';
import { RemindersService } from './reminders.service';

/** Messages of which the caller wants to be reminded. */
@Controller('api/v1/reminders')
@NeedsScope('read', 'send')
export class RemindersController {
  constructor(private readonly reminders: RemindersService) {}

  /** Lists the caller's reminders; what is due first comes first. */
  @Get()
  async list(@CurrentActor() actor: Actor): Promise<{ reminders: ReminderWire[] }> {
    return { reminders: await this.reminders.list(actor) };
  }

  /** Has a bot remind the caller of a message. */
  @Post()
  async add(
    @CurrentActor() actor: Actor,
    @Parameters() input: AddReminderDto,
  ): Promise<{ reminder_id: number }> {
    const id = await this.reminders.add(actor, {
      messageId: input.message_id,
      deliverAt: input.scheduled_delivery_timestamp,
      note: input.note ?? '',
    });
    return { reminder_id: id };
  }

  /**
   * Deletes a reminder.
   * @answers 404 the caller has no such reminder
   */
  @Delete(':reminder_id(\\d+)')
  remove(@CurrentActor() actor: Actor, @Parameters() input: DeleteReminderDto): Promise<void> {
    return this.reminders.remove(actor, input.reminder_id);
  }
}
