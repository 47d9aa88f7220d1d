import { Controller, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { type ForeignRequest, SentRequest, TakesRawBody } from '../../../platform/http/body/raw-body';
import { CurrentActor, KeepsToChannels, KeyInAddress, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { ReceiveWebhookDto } from './incoming-webhooks.api';
import type { IntegrationAnswer } from './reading/integration';
import { ReceiveWebhookService } from './receive-webhook.service';

/** What other services call to have a bot tell of what happened there. */
@Controller('api/v1/external')
@NeedsScope('send')
export class IncomingWebhooksController {
  constructor(private readonly webhooks: ReceiveWebhookService) {}

  /**
   * Takes what a service sends by itself, and posts what it means. The body is whatever the service sends.
   * @answers 401 there is no such bot, or it or the organization is deactivated
   * @answers 404 nothing here understands a service of this name
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
