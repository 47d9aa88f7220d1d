import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import {
  AddLinkifierDto,
  type LinkifierWire,
  RemoveLinkifierDto,
  ReorderLinkifiersDto,
  toLinkifierChanges,
  UpdateLinkifierDto,
} from './linkifiers.api';
import { LinkifiersService } from './linkifiers.service';
import { AddPlaygroundDto, RemovePlaygroundDto, toPlayground } from './playgrounds/playgrounds.api';
import { PlaygroundsService } from './playgrounds/playgrounds.service';
import type { Actor } from '../../platform/actor';
import { AdministratorOnly, CurrentActor, NeedsScope } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';

/** The organization's linkifiers: patterns that turn text into links. */
@Controller('api/v1/realm')
@NeedsScope('read', 'administer')
export class LinkifiersController {
  constructor(private readonly linkifiers: LinkifiersService) {}

  /** Lists the linkifiers, in the order in which they apply. */
  @Get('linkifiers')
  list(): { linkifiers: LinkifierWire[] } {
    return { linkifiers: this.linkifiers.list() };
  }

  /** Reorders the linkifiers. */
  @Patch('linkifiers')
  @AdministratorOnly()
  reorder(@CurrentActor() actor: Actor, @Parameters() dto: ReorderLinkifiersDto): Promise<void> {
    return this.linkifiers.reorder(actor, dto.ordered_linkifier_ids);
  }

  /** Adds a linkifier. */
  @Post('filters')
  @AdministratorOnly()
  async add(@CurrentActor() actor: Actor, @Parameters() dto: AddLinkifierDto): Promise<{ id: number }> {
    return { id: await this.linkifiers.add(actor, toLinkifierChanges(dto)) };
  }

  /** Changes a linkifier. */
  @Patch('filters/:filter_id(\\d+)')
  @AdministratorOnly()
  update(@CurrentActor() actor: Actor, @Parameters() dto: UpdateLinkifierDto): Promise<void> {
    return this.linkifiers.update(actor, dto.filter_id, toLinkifierChanges(dto));
  }

  /** Removes a linkifier. */
  @Delete('filters/:filter_id(\\d+)')
  @AdministratorOnly()
  remove(@CurrentActor() actor: Actor, @Parameters() dto: RemoveLinkifierDto): Promise<void> {
    return this.linkifiers.remove(actor, dto.filter_id);
  }
}

/** Sites where clients offer to run the code of a code block. */
@Controller('api/v1/realm/playgrounds')
@AdministratorOnly()
@NeedsScope('administer')
export class PlaygroundsController {
  constructor(private readonly playgrounds: PlaygroundsService) {}

  /** Adds a code playground. */
  @Post()
  async add(@CurrentActor() actor: Actor, @Parameters() dto: AddPlaygroundDto): Promise<{ id: number }> {
    return { id: await this.playgrounds.add(actor, toPlayground(dto)) };
  }

  /** Removes a code playground. */
  @Delete(':playground_id(\\d+)')
  remove(@CurrentActor() actor: Actor, @Parameters() dto: RemovePlaygroundDto): Promise<void> {
    return this.playgrounds.remove(actor, dto.playground_id);
  }
}
