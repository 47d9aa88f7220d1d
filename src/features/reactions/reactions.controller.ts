import { Controller, Delete, Post } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { CurrentActor, KeepsToChannels, NeedsScope } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { AddReactionDto, RemoveReactionDto } from './reactions.api';
import { ReactionsService } from './reactions.service';

/** Reactions to a message. */
@Controller('api/v1/messages/:message_id(\\d+)/reactions')
@NeedsScope('send')
export class ReactionsController {
  constructor(private readonly reactions: ReactionsService) {}

  /** Adds a reaction to a message. */
  @Post()
  @KeepsToChannels()
  async add(@CurrentActor() actor: Actor, @Parameters() input: AddReactionDto) {
    const { emoji_name: name, emoji_code: code, reaction_type: type } = input;
    await this.reactions.add(actor, input.message_id, { name, code, type });
  }

  /** Removes a reaction from a message. */
  @Delete()
  @KeepsToChannels()
  async remove(@CurrentActor() actor: Actor, @Parameters() input: RemoveReactionDto) {
    const { emoji_name: name, emoji_code: code, reaction_type: type } = input;
    await this.reactions.remove(actor, input.message_id, { name, code, type });
  }
}
