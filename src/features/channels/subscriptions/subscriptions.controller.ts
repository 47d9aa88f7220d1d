import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import {
  type SubscribeAnswer,
  SubscribeService,
  type UnsubscribeAnswer,
  UnsubscribeService,
} from './subscribe.service';
import { SubscriptionRecords } from './subscription-records.service';
import { SubscriptionSettingsService } from './subscription-settings.service';
import {
  ListSubscriptionsDto,
  SubscribeDto,
  toAddition,
  toBulkSettingChanges,
  toDetail,
  toRemoval,
  toSettingChanges,
  toSubscribeRequest,
  toUnsubscribeRequest,
  UnsubscribeDto,
  UpdateSubscriptionsDto,
  UpdateSubscriptionSettingDto,
  UpdateSubscriptionSettingsDto,
} from './subscriptions.api';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, KeepsToChannels, NeedsScope, NoGuests } from '../../../platform/http/decorators';
import type { RawJson } from '../../../platform/http/envelope.interceptor';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import type { SubscriptionWire } from '../store/channel-records.api';
import { TopicPreferencesService } from '../topics/policies/topic-preferences.service';
import {
  ListTopicsDto,
  MuteTopicDto,
  SetUserTopicDto,
  toChannelReference,
  toVisibility,
} from '../topics/topics.api';
import { TopicListService } from '../topics/topics.service';

/** Subscriptions to channels, and their personal settings. */
@Controller('api/v1/users/me/subscriptions')
@NeedsScope('read', 'manage_channels')
export class SubscriptionsController {
  constructor(
    private readonly listing: SubscriptionRecords,
    private readonly subscribing: SubscribeService,
    private readonly unsubscribing: UnsubscribeService,
    private readonly settings: SubscriptionSettingsService,
  ) {}

  /** Lists the caller's subscriptions. */
  @Get()
  async list(
    @CurrentActor() actor: Actor,
    @Parameters() dto: ListSubscriptionsDto,
  ): Promise<{ subscriptions: RawJson<SubscriptionWire[]> }> {
    return { subscriptions: await this.listing.list(actor, toDetail(dto)) };
  }

  /** Subscribes the caller or others to channels; creates missing channels if the caller may. */
  @Post()
  @NoGuests()
  subscribe(@CurrentActor() actor: Actor, @Parameters() dto: SubscribeDto): Promise<SubscribeAnswer> {
    return this.subscribing.subscribe(actor, toSubscribeRequest(dto));
  }

  /** Unsubscribes the caller or others from channels. */
  @Delete()
  unsubscribe(@CurrentActor() actor: Actor, @Parameters() dto: UnsubscribeDto): Promise<UnsubscribeAnswer> {
    return this.unsubscribing.unsubscribe(actor, toUnsubscribeRequest(dto));
  }

  /** Subscribes to some channels and unsubscribes from others in one request. */
  @Patch()
  @NoGuests()
  update(
    @CurrentActor() actor: Actor,
    @Parameters() dto: UpdateSubscriptionsDto,
  ): Promise<SubscribeAnswer & UnsubscribeAnswer> {
    return this.subscribing.update(actor, toAddition(dto), toRemoval(dto));
  }

  /** Changes one personal setting of a subscription. */
  @Patch(':stream_id(\\d+)')
  changeSetting(
    @CurrentActor() actor: Actor,
    @Parameters() dto: UpdateSubscriptionSettingDto,
  ): Promise<void> {
    return this.settings.change(actor, toSettingChanges(dto));
  }

  /** Changes personal settings of several subscriptions. */
  @Post('properties')
  changeSettings(
    @CurrentActor() actor: Actor,
    @Parameters() dto: UpdateSubscriptionSettingsDto,
  ): Promise<void> {
    return this.settings.change(actor, toBulkSettingChanges(dto));
  }
}

/** The topics of a channel. */
@Controller('api/v1/users/me/:stream_id(\\d+)/topics')
@NeedsScope('read')
export class TopicsController {
  constructor(private readonly topics: TopicListService) {}

  /** Lists the topics of a channel, newest first. */
  @Get()
  @KeepsToChannels()
  async list(@CurrentActor() actor: Actor, @Parameters() input: ListTopicsDto) {
    const topics = await this.topics.list(actor, input.stream_id, input.allow_empty_topic_name);
    return { topics };
  }
}

/** Personal visibility policies for topics. */
@Controller('api/v1')
@NeedsScope('send')
export class UserTopicsController {
  constructor(private readonly topics: TopicPreferencesService) {}

  /**
   * Mutes or unmutes a topic.
   * @deprecated Use `POST /api/v1/user_topics`.
   */
  @Patch('users/me/subscriptions/muted_topics')
  mute(@CurrentActor() actor: Actor, @Parameters() dto: MuteTopicDto): Promise<void> {
    const reference = toChannelReference(dto);
    return dto.op === 'add'
      ? this.topics.mute(actor, reference, dto.topic)
      : this.topics.unmute(actor, reference, dto.topic);
  }

  /** Mutes, unmutes or follows a topic, or removes the policy. */
  @Post('user_topics')
  async set(@CurrentActor() actor: Actor, @Parameters() dto: SetUserTopicDto): Promise<void> {
    await this.topics.set(actor, dto.stream_id, dto.topic, toVisibility(dto));
  }
}
