import { Controller, Delete, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { AdministratorOnly, CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { AddPlaygroundDto, RemovePlaygroundDto, toPlayground } from './playgrounds.api';
import { PlaygroundsService } from './playgrounds.service';

/** Sites where clients offer to try the code of a code block. */
@Controller('api/v1/realm/playgrounds')
@AdministratorOnly()
@NeedsScope('administer')
export class PlaygroundsController {
  constructor(private readonly playgrounds: PlaygroundsService) {}

  /** Adds a site where code can be tried. */
  @Post()
  async add(@CurrentActor() actor: Actor, @Parameters() dto: AddPlaygroundDto): Promise<{ id: number }> {
    return { id: await this.playgrounds.add(actor, toPlayground(dto)) };
  }

  /** Removes a site where code can be tried. */
  @Delete(':playground_id(\\d+)')
  remove(@CurrentActor() actor: Actor, @Parameters() dto: RemovePlaygroundDto): Promise<void> {
    return this.playgrounds.remove(actor, dto.playground_id);
  }
}
