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

/** Patterns of the organization that turn text into links. */
@Controller('api/v1/realm')
@NeedsScope('read', 'administer')
export class LinkifiersController {
  constructor(private readonly linkifiers: LinkifiersService) {}

  /** Lists the patterns that turn text into links, in the order in which they apply. */
  @Get('linkifiers')
  list(): { linkifiers: LinkifierWire[] } {
    return { linkifiers: this.linkifiers.list() };
  }

  /** Puts the patterns that turn text into links into another order. */
  @Patch('linkifiers')
  @AdministratorOnly()
  reorder(@CurrentActor() actor: Actor, @Parameters() dto: ReorderLinkifiersDto): Promise<void> {
    return this.linkifiers.reorder(actor, dto.ordered_linkifier_ids);
  }

  /** Adds a pattern that turns text into links. */
  @Post('filters')
  @AdministratorOnly()
  async add(@CurrentActor() actor: Actor, @Parameters() dto: AddLinkifierDto): Promise<{ id: number }> {
    return { id: await this.linkifiers.add(actor, toLinkifierChanges(dto)) };
  }

  /** Changes a pattern that turns text into links. */
  @Patch('filters/:filter_id(\\d+)')
  @AdministratorOnly()
  update(@CurrentActor() actor: Actor, @Parameters() dto: UpdateLinkifierDto): Promise<void> {
    return this.linkifiers.update(actor, dto.filter_id, toLinkifierChanges(dto));
  }

  /** Removes a pattern that turns text into links. */
  @Delete('filters/:filter_id(\\d+)')
  @AdministratorOnly()
  remove(@CurrentActor() actor: Actor, @Parameters() dto: RemoveLinkifierDto): Promise<void> {
    return this.linkifiers.remove(actor, dto.filter_id);
  }
}

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
