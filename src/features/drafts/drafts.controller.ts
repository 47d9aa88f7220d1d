import {
  type CanActivate,
  Controller,
  Delete,
  type ExecutionContext,
  Get,
  Injectable,
  Patch,
  Post,
  UseGuards,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  AddDraftsDto,
  DraftsNotSynchronized,
  type DraftWire,
  EditDraftDto,
  RemoveDraftDto,
} from './drafts.api';
import { DraftsService } from './drafts.service';
import { AddReminderDto, DeleteReminderDto, type ReminderWire } from './reminders/reminders.api';
import { RemindersService } from './reminders/reminders.service';
import {
  DeleteScheduledMessageDto,
  EditScheduledMessageDto,
  type ScheduledMessageWire,
  ScheduleMessageDto,
} from './scheduled/scheduled-messages.api';
import { ScheduledMessagesService } from './scheduled/scheduled-messages.service';
import type { Actor } from '../../platform/actor';
import { CurrentActor, NeedsScope } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { AccountDirectory, personalSetting } from '../users/users.module';

/** Refuses callers who do not synchronize drafts, before their request is validated. */
@Injectable()
export class DraftsGuard implements CanActivate {
  constructor(private readonly accounts: AccountDirectory) {}

  canActivate(context: ExecutionContext): boolean {
    const { actor } = context.switchToHttp().getRequest<FastifyRequest>();
    const settings = actor ? this.accounts.existing(actor.userId).settings : {};
    if (!personalSetting(settings, 'enable_drafts_synchronization')) throw new DraftsNotSynchronized();
    return true;
  }
}

/** The caller's own drafts, while their setting `enable_drafts_synchronization` is on. */
@Controller('api/v1/drafts')
@UseGuards(DraftsGuard)
@NeedsScope('read', 'send')
export class DraftsController {
  constructor(private readonly drafts: DraftsService) {}

  /** Lists the caller's drafts, most recently edited last. */
  @Get()
  async list(@CurrentActor() actor: Actor): Promise<{ count: number; drafts: DraftWire[] }> {
    const drafts = await this.drafts.list(actor);
    return { count: drafts.length, drafts };
  }

  /** Stores drafts: all of them, or none if one is refused. */
  @Post()
  async add(@CurrentActor() actor: Actor, @Parameters() input: AddDraftsDto): Promise<{ ids: number[] }> {
    return { ids: await this.drafts.add(actor, input.drafts) };
  }

  /**
   * Replaces a draft.
   * @answers 404 the caller has no such draft
   */
  @Patch(':draft_id(\\d+)')
  edit(@CurrentActor() actor: Actor, @Parameters() input: EditDraftDto): Promise<void> {
    return this.drafts.edit(actor, input.draft_id, input.draft);
  }

  /**
   * Deletes a draft.
   * @answers 404 the caller has no such draft
   */
  @Delete(':draft_id(\\d+)')
  remove(@CurrentActor() actor: Actor, @Parameters() input: RemoveDraftDto): Promise<void> {
    return this.drafts.remove(actor, input.draft_id);
  }
}

/** Reminders of messages. */
@Controller('api/v1/reminders')
@NeedsScope('read', 'send')
export class RemindersController {
  constructor(private readonly reminders: RemindersService) {}

  /** Lists the caller's reminders by due time. */
  @Get()
  async list(@CurrentActor() actor: Actor): Promise<{ reminders: ReminderWire[] }> {
    return { reminders: await this.reminders.list(actor) };
  }

  /** Schedules a reminder of a message. */
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

/** The caller's own scheduled messages. */
@Controller('api/v1/scheduled_messages')
@NeedsScope('read', 'send')
export class ScheduledMessagesController {
  constructor(private readonly messages: ScheduledMessagesService) {}

  /** Lists scheduled messages, unsent and failed, by due time. */
  @Get()
  async list(@CurrentActor() actor: Actor): Promise<{ scheduled_messages: ScheduledMessageWire[] }> {
    return { scheduled_messages: await this.messages.list(actor) };
  }

  /** Schedules a message. It is refused if it could not be sent now, and checked again at its time. */
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
   * Changes a scheduled message; one that could not be sent is scheduled again.
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
