import { Controller, Get } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { ChannelPathDto } from '../channels.api';
import {
  ChannelNameDto,
  ListChannelsDto,
  SubscriptionStatusDto,
  toSelection,
  UserChannelsDto,
} from './listing.api';
import { channelAnswer, channelIdAnswer, channelsAnswer } from '../store/channel-records.api';
import { ListChannelsService } from './list-channels.service';

/** Looking at channels. */
@Controller('api/v1')
@NeedsScope('read')
export class ChannelsController {
  constructor(private readonly channels: ListChannelsService) {}

  /** Lists channels: of those that the caller sees, the ones that the parameters choose. */
  @Get('streams')
  list(@CurrentActor() actor: Actor, @Parameters() dto: ListChannelsDto) {
    return channelsAnswer(this.channels.list(actor, toSelection(dto)));
  }

  /** Shows a channel. */
  @Get('streams/:stream_id(\\d+)')
  one(@CurrentActor() actor: Actor, @Parameters() dto: ChannelPathDto) {
    return channelAnswer(this.channels.one(actor, dto.stream_id));
  }

  /** Lists the IDs of a channel's subscribers. */
  @Get('streams/:stream_id(\\d+)/members')
  subscribers(@CurrentActor() actor: Actor, @Parameters() dto: ChannelPathDto) {
    return { subscribers: this.channels.subscribers(actor, dto.stream_id) };
  }

  /** Finds the ID of a channel by its name. */
  @Get('get_stream_id')
  idOf(@CurrentActor() actor: Actor, @Parameters() dto: ChannelNameDto) {
    return channelIdAnswer(this.channels.idOf(actor, dto.stream));
  }

  /** Tells whether a person is subscribed to a channel. */
  @Get('users/:user_id(\\d+)/subscriptions/:stream_id(\\d+)')
  async isSubscribed(@CurrentActor() actor: Actor, @Parameters() dto: SubscriptionStatusDto) {
    return { is_subscribed: await this.channels.isSubscribed(actor, dto.user_id, dto.stream_id) };
  }

  /** Lists the channels that a person is subscribed to, as far as the caller sees them. */
  @Get('users/:user_id(\\d+)/channels')
  async channelsOf(@CurrentActor() actor: Actor, @Parameters() dto: UserChannelsDto) {
    return { subscribed_channel_ids: await this.channels.channelsOf(actor, dto.user_id) };
  }
}
