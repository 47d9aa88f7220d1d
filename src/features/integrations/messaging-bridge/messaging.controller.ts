import { Get, Header, Headers, HttpCode, Post, UseGuards } from '@nestjs/common';
import { RawBody, SentBody, TakesRawBody } from '../../../platform/http/body/raw-body';
import { CompanionController, QueryParameters } from '../../../platform/http/companion/companion-decorators';
import { type PageAnswer, PageQuery } from '../../../platform/http/companion/paging';
import { AdministratorOnly, NotRateLimited, OwnSecret } from '../../../platform/http/decorators';
import { deliveryWire, type DeliveryWire, HandshakeDto, type MockLogEntryWire } from './messaging.api';
import { MockLogService } from './deliver-answers.service';
import { ReadDeliveryService, ReceiveMessagesService } from './receive-messages.service';
import { VerifyTokenGuard, WebhookSecretGuard } from './webhook.guard';

/** Webhook of messaging providers, and the mock log of answers. */
@CompanionController('messaging')
export class MessagingController {
  constructor(
    private readonly deliveries: ReadDeliveryService,
    private readonly messages: ReceiveMessagesService,
    private readonly mock: MockLogService,
  ) {}

  /**
   * Confirms this webhook to a messaging provider by echoing its challenge.
   * @answers 403 the token is missing or wrong, or the server has none
   */
  @Get('webhook')
  @Header('content-type', 'text/plain; charset=utf-8')
  @OwnSecret()
  @NotRateLimited()
  @UseGuards(VerifyTokenGuard)
  handshake(@QueryParameters() query: HandshakeDto): string {
    return query['hub.challenge'];
  }

  /**
   * Receives messages from outside, and posts each one once even if it is delivered repeatedly.
   * @answers 401 the secret or the signature is missing or wrong, or the server has none
   * @answers 422 the body matches no delivery format
   * @answers 503 messages cannot be posted right now
   */
  @Post('webhook')
  @HttpCode(200)
  @OwnSecret()
  @NotRateLimited()
  @TakesRawBody()
  @UseGuards(WebhookSecretGuard)
  async receive(
    @SentBody() body: RawBody,
    @Headers('x-hub-signature-256') signature: string | undefined,
  ): Promise<DeliveryWire> {
    const messages = this.deliveries.read(body, signature);
    return deliveryWire(messages, await this.messages.receive(messages));
  }

  /** Lists answers that were not posted, because `MESSAGING_SEND_URL` is not set. */
  @Get('mock-log')
  @AdministratorOnly()
  mockLog(@QueryParameters() query: PageQuery): Promise<PageAnswer<MockLogEntryWire>> {
    return this.mock.list(query);
  }
}
