import { Controller, Get, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { AdministratorOnly, CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import {
  type ChannelFolderWire,
  CreateChannelFolderDto,
  ListChannelFoldersDto,
  ReorderChannelFoldersDto,
  toFolderChanges,
  UpdateChannelFolderDto,
} from './channel-folders.api';
import { ChannelFoldersService } from './channel-folders.service';

/** Folders that clients group channels in. */
@Controller('api/v1/channel_folders')
@NeedsScope('read', 'manage_channels')
export class ChannelFoldersController {
  constructor(private readonly folders: ChannelFoldersService) {}

  /** Lists the folders that channels are sorted into. */
  @Get()
  async list(@Parameters() dto: ListChannelFoldersDto): Promise<{ channel_folders: ChannelFolderWire[] }> {
    return { channel_folders: await this.folders.list(dto.include_archived) };
  }

  /** Creates a folder for channels. */
  @Post('create')
  @AdministratorOnly()
  async create(
    @CurrentActor() actor: Actor,
    @Parameters() dto: CreateChannelFolderDto,
  ): Promise<{ channel_folder_id: number }> {
    return { channel_folder_id: await this.folders.create(actor, dto.name, dto.description) };
  }

  /** Puts the folders for channels into another order. */
  @Patch()
  @AdministratorOnly()
  reorder(@CurrentActor() actor: Actor, @Parameters() dto: ReorderChannelFoldersDto): Promise<void> {
    return this.folders.reorder(actor, dto.order);
  }

  /** Changes or archives a folder for channels. */
  @Patch(':channel_folder_id(\\d+)')
  @AdministratorOnly()
  update(@CurrentActor() actor: Actor, @Parameters() dto: UpdateChannelFolderDto): Promise<void> {
    return this.folders.update(actor, dto.channel_folder_id, toFolderChanges(dto));
  }
}
