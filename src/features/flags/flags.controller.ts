import { Controller, Post, Get } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { CurrentActor, NeedsScope } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { ignoredChannelsWire, UpdateFlagsDto, UpdateFlagsInNarrowDto, ReadReceiptsDto } from './flags.api';
import { UpdateFlagsService } from './update-flags.service';
import { ReadReceiptsService } from './read-receipts.service';

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

  /** Sets or clears a flag on messages around an anchor that fit a narrow. */
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
  async list(@CurrentActor() actor: Actor, @Parameters() input: ReadReceiptsDto) {
    return { user_ids: await this.receipts.of(actor, input.message_id) };
  }
}
