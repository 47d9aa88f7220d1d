import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, CurrentSession, HumansOnly, NotForNamedKeys } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { PushSubscriptions, WebPush } from './push-subscriptions.service';
import {
  PushSubscriptionDto,
  PushSubscriptionIdDto,
  type PushTestWire,
  QuietPushDto,
  type WebPushWire,
} from './web-push.api';

/** Notifications in browsers while no page of the server is open (Web Push). */
@Controller('api/v1/web_push')
@HumansOnly()
@NotForNamedKeys()
export class WebPushController {
  constructor(
    private readonly webPush: WebPush,
    private readonly subscriptions: PushSubscriptions,
  ) {}

  /** Lists the caller's subscriptions, and the key for new ones. */
  @Get()
  state(@CurrentActor() actor: Actor, @CurrentSession() sessionId: string | null): Promise<WebPushWire> {
    return this.webPush.state(actor, sessionId);
  }

  /**
   * Registers the browser of the session, or renews its registration. A user has at most 20; new ones replace the
   * oldest. A registration ends with the session, or when the push service reports its end.
   */
  @Post('subscriptions')
  async add(
    @CurrentActor() actor: Actor,
    @CurrentSession() sessionId: string | null,
    @Parameters() dto: PushSubscriptionDto,
  ): Promise<{ readonly id: number }> {
    return { id: await this.subscriptions.add(actor, sessionId, { ...dto, quietUntil: dto.quiet_until }) };
  }

  /** Pauses the notifications of a browser; messages during that time are not pushed later. */
  @Patch('subscriptions/:subscription_id(\\d+)')
  quiet(@CurrentActor() actor: Actor, @Parameters() dto: QuietPushDto): Promise<void> {
    return this.subscriptions.quiet(actor, dto.subscription_id, dto.quiet_until);
  }

  /** Ends a registration of the caller. */
  @Delete('subscriptions/:subscription_id(\\d+)')
  remove(@CurrentActor() actor: Actor, @Parameters() dto: PushSubscriptionIdDto): Promise<void> {
    return this.subscriptions.remove(actor, dto.subscription_id);
  }

  /**
   * Sends a test notification and waits for the push service.
   * @answers 429 more than ten tests in ten minutes
   */
  @Post('subscriptions/:subscription_id(\\d+)/test')
  test(@CurrentActor() actor: Actor, @Parameters() dto: PushSubscriptionIdDto): Promise<PushTestWire> {
    return this.webPush.test(actor, dto.subscription_id);
  }
}
