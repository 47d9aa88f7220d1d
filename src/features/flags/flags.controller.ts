import { Controller, Get, Post } from '@nestjs/common';
import {
  ignoredChannelsWire,
  MarkChannelAsReadDto,
  MarkTopicAsReadDto,
  ReadReceiptsDto,
  UpdateFlagsDto,
  UpdateFlagsInNarrowDto,
} from './flags.api';
import { MarkAsReadService, ReadReceiptsService, UpdateFlagsService } from './flags.service';
import type { Actor } from '../../platform/actor';
import { CurrentActor, KeepsToChannels, NeedsScope } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';

/** People's own flags on messages. */
@Controller('api/v1/messages/flags')
@NeedsScope('send')
export class FlagsController {
  constructor(private readonly updates: UpdateFlagsService) {}

  /** Sets or clears a flag on messages. */
  @Post()
  async update(@CurrentActor() actor: Actor, @Parameters() input: UpdateFlagsDto) {
    const { messageIds, ignoredChannelIds } = await this.updates.update(
      actor,
      input.messages,
      input.op,
      input.flag,
    );
    return { messages: messageIds, ...ignoredChannelsWire(input, ignoredChannelIds) };
  }

  /** Sets or clears a flag on messages around an anchor that match a narrow. */
  @Post('narrow')
  updateInNarrow(@CurrentActor() actor: Actor, @Parameters() input: UpdateFlagsInNarrowDto) {
    const range = {
      anchor: input.anchor,
      includeAnchor: input.include_anchor,
      numBefore: input.num_before,
      numAfter: input.num_after,
    };
    return this.updates.updateInNarrow(actor, input.narrow ?? [], range, input);
  }
}

/** Who has read a message. */
@Controller('api/v1/messages/:message_id(\\d+)/read_receipts')
@NeedsScope('read')
export class ReadReceiptsController {
  constructor(private readonly receipts: ReadReceiptsService) {}

  /** Lists who has read a message. */
  @Get()
  @KeepsToChannels()
  async list(@CurrentActor() actor: Actor, @Parameters() input: ReadReceiptsDto) {
    return { user_ids: await this.receipts.of(actor, input.message_id) };
  }
}

/** Legacy ways to mark messages as read; current clients use `/messages/flags/narrow`. */
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
