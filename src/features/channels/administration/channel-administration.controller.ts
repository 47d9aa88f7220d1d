import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { AdministratorOnly, CurrentActor, NeedsScope, NoGuests } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import {
  ChannelEmailDto,
  DefaultChannelDto,
  NewChannelDto,
  toChannelChanges,
  toNewChannel,
  UpdateChannelDto,
} from './administration.api';
import { ChannelEmailService } from './channel-email.service';
import { ChannelPathDto } from '../channels.api';
import { NewChannelService } from './new-channel.service';
import { UpdateChannelService } from './update-channel.service';

/** Making, changing and archiving channels. */
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
   * @answers 409 there is a channel of this name
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

  /** Tells the e-mail address by which messages can be sent into a channel. */
  @Get('streams/:stream_id(\\d+)/email_address')
  async email(@CurrentActor() actor: Actor, @Parameters() dto: ChannelEmailDto): Promise<{ email: string }> {
    return { email: await this.emails.addressOf(actor, dto.stream_id, dto.sender_id) };
  }

  /** Adds a channel to those that newcomers are subscribed to. */
  @Post('default_streams')
  @AdministratorOnly()
  addDefault(@CurrentActor() actor: Actor, @Parameters() dto: DefaultChannelDto): Promise<void> {
    return this.updating.addDefault(actor, dto.stream_id);
  }

  /** Stops subscribing newcomers to a channel. */
  @Delete('default_streams')
  @AdministratorOnly()
  removeDefault(@CurrentActor() actor: Actor, @Parameters() dto: DefaultChannelDto): Promise<void> {
    return this.updating.removeDefault(actor, dto.stream_id);
  }
}
