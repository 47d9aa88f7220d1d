import { Controller, Get } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { CurrentActor, NeedsScope } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { ReadReceiptsDto } from './flags.api';
import { ReadReceiptsService } from './read-receipts.service';

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
