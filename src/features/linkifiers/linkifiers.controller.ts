import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { AdministratorOnly } from '../../platform/http/decorators';
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
  reorder(@Parameters() dto: ReorderLinkifiersDto): Promise<void> {
    return this.linkifiers.reorder(dto.ordered_linkifier_ids);
  }

  @Post('filters')
  @AdministratorOnly()
  async add(@Parameters() dto: AddLinkifierDto): Promise<{ id: number }> {
    return { id: await this.linkifiers.add(toLinkifierChanges(dto)) };
  }

  @Patch('filters/:filter_id(\\d+)')
  @AdministratorOnly()
  update(@Parameters() dto: UpdateLinkifierDto): Promise<void> {
    return this.linkifiers.update(dto.filter_id, toLinkifierChanges(dto));
  }

  @Delete('filters/:filter_id(\\d+)')
  @AdministratorOnly()
  remove(@Parameters() dto: RemoveLinkifierDto): Promise<void> {
    return this.linkifiers.remove(dto.filter_id);
  }
}
