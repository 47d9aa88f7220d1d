import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { AdministratorOnly, CurrentActor } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import {
  AddLinkifierDto,
  RemoveLinkifierDto,
  ReorderLinkifiersDto,
  toLinkifierChanges,
  UpdateLinkifierDto,
} from './linkifiers.dto';
import { LinkifiersService } from './linkifiers.service';
import type { LinkifierWire } from './linkifiers.wire';

/** Patterns of the organization that turn text into links. */
@Controller('api/v1/realm')
export class LinkifiersController {
  constructor(private readonly linkifiers: LinkifiersService) {}

  @Get('linkifiers')
  list(): { linkifiers: LinkifierWire[] } {
    return { linkifiers: this.linkifiers.list() };
  }

  @Patch('linkifiers')
  @AdministratorOnly()
  reorder(@CurrentActor() actor: Actor, @Parameters() dto: ReorderLinkifiersDto): Promise<void> {
    return this.linkifiers.reorder(actor, dto.ordered_linkifier_ids);
  }

  @Post('filters')
  @AdministratorOnly()
  async add(@CurrentActor() actor: Actor, @Parameters() dto: AddLinkifierDto): Promise<{ id: number }> {
    return { id: await this.linkifiers.add(actor, toLinkifierChanges(dto)) };
  }

  @Patch('filters/:filter_id(\\d+)')
  @AdministratorOnly()
  update(@CurrentActor() actor: Actor, @Parameters() dto: UpdateLinkifierDto): Promise<void> {
    return this.linkifiers.update(actor, dto.filter_id, toLinkifierChanges(dto));
  }

  @Delete('filters/:filter_id(\\d+)')
  @AdministratorOnly()
  remove(@CurrentActor() actor: Actor, @Parameters() dto: RemoveLinkifierDto): Promise<void> {
    return this.linkifiers.remove(actor, dto.filter_id);
  }
}
