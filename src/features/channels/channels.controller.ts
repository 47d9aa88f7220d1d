import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import {
  ChannelEmailDto,
  DefaultChannelDto,
  NewChannelDto,
  toChannelChanges,
  toNewChannel,
  UpdateChannelDto,
} from './administration/administration.api';
import { NewChannelService, UpdateChannelService } from './administration/channel-administration.service';
import { ChannelEmailService } from './administration/channel-email.service';
import { ChannelPathDto } from './store/channels.api';
import {
  CreateDefaultChannelGroupDto,
  DefaultChannelGroupChannelsDto,
  DefaultChannelGroupPathDto,
  UpdateDefaultChannelGroupDto,
} from './default-groups/default-channel-groups.api';
import { DefaultChannelGroupsService } from './default-groups/default-channel-groups.service';
import {
  type ChannelFolderWire,
  CreateChannelFolderDto,
  ListChannelFoldersDto,
  ReorderChannelFoldersDto,
  toFolderChanges,
  UpdateChannelFolderDto,
} from './folders/channel-folders.api';
import { ChannelFoldersService } from './folders/channel-folders.service';
import { ListChannelsService } from './listing/list-channels.service';
import {
  ChannelNameDto,
  ListChannelsDto,
  SubscriptionStatusDto,
  toSelection,
  UserChannelsDto,
} from './listing/listing.api';
import { channelAnswer, channelIdAnswer, channelsAnswer } from './store/channel-records.api';
import type { Actor } from '../../platform/actor';
import {
  AdministratorOnly,
  CurrentActor,
  KeepsToChannels,
  NeedsScope,
  NoGuests,
} from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';

/** Creating, changing and archiving channels. */
@Controller('api/v1')
@NeedsScope('manage_channels')
export class ChannelAdministrationController {
  constructor(
    private readonly making: NewChannelService,
    private readonly updating: UpdateChannelService,
    private readonly emails: ChannelEmailService,
  ) {}

  /**
   * Creates a channel, and subscribes people to it.
   * @answers 409 a channel with this name exists
   */
  @Post('channels/create')
  @NoGuests()
  async create(@CurrentActor() actor: Actor, @Parameters() dto: NewChannelDto): Promise<{ id: number }> {
    return { id: await this.making.create(actor, toNewChannel(dto)) };
  }

  /** Changes properties and permissions of a channel. */
  @Patch('streams/:stream_id(\\d+)')
  update(@CurrentActor() actor: Actor, @Parameters() dto: UpdateChannelDto): Promise<void> {
    return this.updating.update(actor, dto.stream_id, toChannelChanges(dto));
  }

  /** Archives a channel. */
  @Delete('streams/:stream_id(\\d+)')
  @AdministratorOnly()
  archive(@CurrentActor() actor: Actor, @Parameters() dto: ChannelPathDto): Promise<void> {
    return this.updating.archive(actor, dto.stream_id);
  }

  /** Returns the email address that posts to a channel. */
  @Get('streams/:stream_id(\\d+)/email_address')
  async email(@CurrentActor() actor: Actor, @Parameters() dto: ChannelEmailDto): Promise<{ email: string }> {
    return { email: await this.emails.addressOf(actor, dto.stream_id, dto.sender_id) };
  }

  /** Makes a channel a default channel for new users. */
  @Post('default_streams')
  @AdministratorOnly()
  addDefault(@CurrentActor() actor: Actor, @Parameters() dto: DefaultChannelDto): Promise<void> {
    return this.updating.addDefault(actor, dto.stream_id);
  }

  /** Removes a channel from the default channels for new users. */
  @Delete('default_streams')
  @AdministratorOnly()
  removeDefault(@CurrentActor() actor: Actor, @Parameters() dto: DefaultChannelDto): Promise<void> {
    return this.updating.removeDefault(actor, dto.stream_id);
  }
}

/** Reading channels. */
@Controller('api/v1')
@NeedsScope('read')
export class ChannelsController {
  constructor(private readonly channels: ListChannelsService) {}

  /** Lists channels: those that the caller sees and the parameters select. */
  @Get('streams')
  @KeepsToChannels()
  list(@CurrentActor() actor: Actor, @Parameters() dto: ListChannelsDto) {
    return channelsAnswer(this.channels.list(actor, toSelection(dto)));
  }

  /** Returns a channel. */
  @Get('streams/:stream_id(\\d+)')
  @KeepsToChannels()
  one(@CurrentActor() actor: Actor, @Parameters() dto: ChannelPathDto) {
    return channelAnswer(this.channels.one(actor, dto.stream_id));
  }

  /** Lists the IDs of a channel's subscribers. */
  @Get('streams/:stream_id(\\d+)/members')
  @KeepsToChannels()
  subscribers(@CurrentActor() actor: Actor, @Parameters() dto: ChannelPathDto) {
    return { subscribers: this.channels.subscribers(actor, dto.stream_id) };
  }

  /** Finds the ID of a channel by its name. */
  @Get('get_stream_id')
  @KeepsToChannels()
  idOf(@CurrentActor() actor: Actor, @Parameters() dto: ChannelNameDto) {
    return channelIdAnswer(this.channels.idOf(actor, dto.stream));
  }

  /** Reports whether a person is subscribed to a channel. */
  @Get('users/:user_id(\\d+)/subscriptions/:stream_id(\\d+)')
  async isSubscribed(@CurrentActor() actor: Actor, @Parameters() dto: SubscriptionStatusDto) {
    return { is_subscribed: await this.channels.isSubscribed(actor, dto.user_id, dto.stream_id) };
  }

  /** Lists the channels that a person is subscribed to and that the caller sees. */
  @Get('users/:user_id(\\d+)/channels')
  async channelsOf(@CurrentActor() actor: Actor, @Parameters() dto: UserChannelsDto) {
    return { subscribed_channel_ids: await this.channels.channelsOf(actor, dto.user_id) };
  }
}

/** Folders in which clients group channels. */
@Controller('api/v1/channel_folders')
@NeedsScope('read', 'manage_channels')
export class ChannelFoldersController {
  constructor(private readonly folders: ChannelFoldersService) {}

  /** Lists the channel folders. */
  @Get()
  async list(@Parameters() dto: ListChannelFoldersDto): Promise<{ channel_folders: ChannelFolderWire[] }> {
    return { channel_folders: await this.folders.list(dto.include_archived) };
  }

  /** Creates a channel folder. */
  @Post('create')
  @AdministratorOnly()
  async create(
    @CurrentActor() actor: Actor,
    @Parameters() dto: CreateChannelFolderDto,
  ): Promise<{ channel_folder_id: number }> {
    return { channel_folder_id: await this.folders.create(actor, dto.name, dto.description) };
  }

  /** Reorders the channel folders. */
  @Patch()
  @AdministratorOnly()
  reorder(@CurrentActor() actor: Actor, @Parameters() dto: ReorderChannelFoldersDto): Promise<void> {
    return this.folders.reorder(actor, dto.order);
  }

  /** Changes or archives a channel folder. */
  @Patch(':channel_folder_id(\\d+)')
  @AdministratorOnly()
  update(@CurrentActor() actor: Actor, @Parameters() dto: UpdateChannelFolderDto): Promise<void> {
    return this.folders.update(actor, dto.channel_folder_id, toFolderChanges(dto));
  }
}

/** Sets of channels that new users can choose. */
@Controller('api/v1/default_stream_groups')
@NeedsScope('manage_channels')
export class DefaultChannelGroupsController {
  constructor(private readonly groups: DefaultChannelGroupsService) {}

  /** Creates a default channel group. */
  @Post('create')
  @AdministratorOnly()
  create(@CurrentActor() actor: Actor, @Parameters() dto: CreateDefaultChannelGroupDto): Promise<void> {
    return this.groups.create(actor, {
      name: dto.group_name,
      description: dto.description,
      channelNames: dto.stream_names,
    });
  }

  /** Changes the name or description of a default channel group. */
  @Patch(':group_id(\\d+)')
  @AdministratorOnly()
  update(@CurrentActor() actor: Actor, @Parameters() dto: UpdateDefaultChannelGroupDto): Promise<void> {
    const { group_id, new_group_name: name, new_description: description } = dto;
    return this.groups.update(actor, group_id, { name, description });
  }

  /** Deletes a default channel group; its channels stay. */
  @Delete(':group_id(\\d+)')
  @AdministratorOnly()
  delete(@CurrentActor() actor: Actor, @Parameters() dto: DefaultChannelGroupPathDto): Promise<void> {
    return this.groups.delete(actor, dto.group_id);
  }

  /** Adds channels to a default channel group, or removes them. */
  @Patch(':group_id(\\d+)/streams')
  @AdministratorOnly()
  changeChannels(
    @CurrentActor() actor: Actor,
    @Parameters() dto: DefaultChannelGroupChannelsDto,
  ): Promise<void> {
    const { group_id, op, stream_names: names } = dto;
    return op === 'add'
      ? this.groups.addChannels(actor, group_id, names)
      : this.groups.removeChannels(actor, group_id, names);
  }
}
