import { Controller, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { SlashCommandDto } from './settings.api';
import { SlashCommandsService } from './slash-commands.service';

/** Settings that people change from the compose box of a client. */
@Controller('api/v1/zcommand')
@NeedsScope('manage_people')
export class SlashCommandsController {
  constructor(private readonly commands: SlashCommandsService) {}

  /** Carries out a command. What the client is to show stands in `msg`, as nowhere else in a success. */
  @Post()
  async run(@CurrentActor() actor: Actor, @Parameters() dto: SlashCommandDto): Promise<{ msg: string }> {
    const told = await this.commands.run(actor, dto.command);
    // eslint-disable-next-line no-restricted-syntax -- the one success whose envelope says something
    return { msg: told };
  }
}
