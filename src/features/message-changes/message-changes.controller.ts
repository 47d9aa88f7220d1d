import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { DeleteMessagesService } from './deletion/delete-messages.service';
import { UpdateMessageService } from './editing/update-message.service';
import { MessageHistoryService } from './history/message-history.service';
import {
  DeleteMessageDto,
  DeleteTopicDto,
  MessageHistoryDto,
  ReportMessageDto,
  UpdateMessageDto,
} from './message-changes.api';
import { ReportsService } from './reports/reports.service';
import type { EditRequest } from './rights/planned-edit';
import type { Actor } from '../../platform/actor';
import { AdministratorOnly, CurrentActor, KeepsToChannels, NeedsScope } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';

/** Editing, moving and deleting sent messages. */
@Controller('api/v1')
@NeedsScope('read', 'send')
export class MessageChangesController {
  constructor(
    private readonly updating: UpdateMessageService,
    private readonly deleting: DeleteMessagesService,
    private readonly history: MessageHistoryService,
  ) {}

  /** Edits or moves a message, or all messages of its topic. */
  @Patch('messages/:message_id(\\d+)')
  @KeepsToChannels()
  async update(@CurrentActor() actor: Actor, @Parameters() input: UpdateMessageDto) {
    const wanted = {
      inOldTopic: input.send_notification_to_old_thread,
      inNewTopic: input.send_notification_to_new_thread,
    };
    const detached = await this.updating.update(actor, input.message_id, toEditRequest(input), wanted);
    return { detached_uploads: detached };
  }

  /** Deletes a message. */
  @Delete('messages/:message_id(\\d+)')
  @KeepsToChannels()
  async delete(@CurrentActor() actor: Actor, @Parameters() input: DeleteMessageDto) {
    await this.deleting.deleteMessage(actor, input.message_id);
  }

  /** Returns the edit history of a message. */
  @Get('messages/:message_id(\\d+)/history')
  @KeepsToChannels()
  async showHistory(@CurrentActor() actor: Actor, @Parameters() input: MessageHistoryDto) {
    const { message_id: id, allow_empty_topic_name: allowEmptyTopicName } = input;
    return { message_history: await this.history.show(actor, id, allowEmptyTopicName) };
  }

  /** Deletes a topic with all its messages. */
  @Post('streams/:stream_id(\\d+)/delete_topic')
  @NeedsScope('manage_channels')
  @AdministratorOnly()
  async deleteTopic(@CurrentActor() actor: Actor, @Parameters() input: DeleteTopicDto) {
    return { complete: await this.deleting.deleteTopic(actor, input.stream_id, input.topic_name) };
  }
}

function toEditRequest(input: UpdateMessageDto): EditRequest {
  return {
    content: input.content,
    topic: input.topic,
    channelId: input.stream_id,
    mode: input.propagate_mode,
    prevContentHash: input.prev_content_sha256,
  };
}

/** Reports of messages. */
@Controller('api/v1/messages/:message_id(\\d+)/report')
@NeedsScope('send')
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  /** Reports a message to the organization's moderators. */
  @Post()
  async report(@CurrentActor() actor: Actor, @Parameters() input: ReportMessageDto): Promise<void> {
    const { message_id: messageId, report_type: type, description } = input;
    await this.reports.report(actor, { messageId, type, description });
  }
}
