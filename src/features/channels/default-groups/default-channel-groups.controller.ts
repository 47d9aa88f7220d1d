import { Controller, Delete, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { AdministratorOnly, CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import {
  CreateDefaultChannelGroupDto,
  DefaultChannelGroupChannelsDto,
  DefaultChannelGroupPathDto,
  UpdateDefaultChannelGroupDto,
} from './default-channel-groups.api';
import { DefaultChannelGroupsService } from './default-channel-groups.service';

/** Channels that newcomers may choose together. */
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

  /** Renames or describes a default channel group. */
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

  /** Adds channels to a default channel group, or removes some. */
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
