import { Controller, Get } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, HumansOnly, NeedsScope, NoGuests } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { WebhookDeliveriesDto, type WebhookDeliveryRecord } from './outgoing-webhooks.api';
import { WebhookDeliveriesService } from './deliver-webhooks.service';

/** Delivery log of webhooks. */
@Controller('api/v1/bots')
@NoGuests()
@HumansOnly()
@NeedsScope('read')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  /** Lists the latest calls of a bot's webhook, newest first, at most 50. */
  @Get(':bot_id(\\d+)/deliveries')
  async list(
    @CurrentActor() actor: Actor,
    @Parameters() dto: WebhookDeliveriesDto,
  ): Promise<{ readonly deliveries: readonly WebhookDeliveryRecord[] }> {
    return { deliveries: await this.deliveries.list(actor, dto.bot_id) };
  }
}
