import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope, NoGuests } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import type { RawJson } from '../../../platform/http/envelope.interceptor';
import type { SubscriptionWire } from '../store/channel-records.api';
import { SubscriptionRecords } from './subscription-records.service';
import { SubscribeService, type SubscribeAnswer } from './subscribe.service';
import { SubscriptionSettingsService } from './subscription-settings.service';
import {
  ListSubscriptionsDto,
  SubscribeDto,
  toAddition,
  toBulkSettingChanges,
  toRemoval,
  toDetail,
  toSettingChanges,
  toSubscribeRequest,
  toUnsubscribeRequest,
  UnsubscribeDto,
  UpdateSubscriptionsDto,
  UpdateSubscriptionSettingDto,
  UpdateSubscriptionSettingsDto,
} from './subscriptions.api';
import { UnsubscribeService, type UnsubscribeAnswer } from './unsubscribe.service';

/** Being subscribed to channels, and the personal settings that go with it. */
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

  /**
   * Subscribes the caller or others to channels; those that do not exist are created where the caller
   * may.
   */
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
