import { Controller, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { type ForeignRequest, SentRequest, TakesRawBody } from '../../../platform/http/body/raw-body';
import { CurrentActor, KeepsToChannels, KeyInAddress, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { ReceiveWebhookDto } from './incoming-webhooks.api';
import type { IntegrationAnswer } from './reading/integration';
import { ReceiveWebhookService } from './receive-webhook.service';

/** Receives the webhooks of other services, which bots post as messages. */
@Controller('api/v1/external')
@NeedsScope('send')
export class IncomingWebhooksController {
  constructor(private readonly webhooks: ReceiveWebhookService) {}

  /**
   * Receives a webhook and posts it as messages. The body has the service's own format.
   * @answers 401 no such bot, or the bot or organization is deactivated
   * @answers 404 no integration has this name
   */
  @Post(':integration')
  @KeyInAddress()
  @TakesRawBody()
  @KeepsToChannels()
  receive(
    @CurrentActor() bot: Actor,
    @Parameters() input: ReceiveWebhookDto,
    @SentRequest() request: ForeignRequest,
  ): Promise<IntegrationAnswer> {
    return this.webhooks.receive(bot, input, request);
  }
}
