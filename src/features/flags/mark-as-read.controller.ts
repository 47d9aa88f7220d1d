import { Controller, Post } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { CurrentActor, NeedsScope } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { MarkAsReadService } from './mark-as-read.service';
import { MarkChannelAsReadDto, MarkTopicAsReadDto } from './flags.api';

/** Older ways to mark messages as read; clients of today use `/messages/flags/narrow`. */
@Controller('api/v1')
@NeedsScope('send')
export class MarkAsReadController {
  constructor(private readonly reading: MarkAsReadService) {}

  /**
   * Marks all messages as read.
   * @deprecated Use `POST /api/v1/messages/flags/narrow`.
   */
  @Post('mark_all_as_read')
  async all(@CurrentActor() actor: Actor) {
    await this.reading.all(actor);
    return { complete: true };
  }

  /**
   * Marks all messages of a channel as read.
   * @deprecated Use `POST /api/v1/messages/flags/narrow`.
   */
  @Post('mark_stream_as_read')
  async channel(@CurrentActor() actor: Actor, @Parameters() input: MarkChannelAsReadDto) {
    await this.reading.channel(actor, input.stream_id);
  }

  /**
   * Marks all messages of a topic as read.
   * @deprecated Use `POST /api/v1/messages/flags/narrow`.
   */
  @Post('mark_topic_as_read')
  async topic(@CurrentActor() actor: Actor, @Parameters() input: MarkTopicAsReadDto) {
    await this.reading.topic(actor, input.stream_id, input.topic_name);
  }
}
