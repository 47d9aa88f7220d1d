import { Get, Header, Headers, HttpCode, Post, UseGuards } from '@nestjs/common';
import { RawBody, SentBody, TakesRawBody } from '../../../platform/http/body/raw-body';
import { CompanionController, QueryParameters } from '../../../platform/http/companion/companion-decorators';
import { type PageAnswer, PageQuery } from '../../../platform/http/companion/paging';
import { AdministratorOnly, NotRateLimited, OwnSecret } from '../../../platform/http/decorators';
import { deliveryWire, type DeliveryWire, HandshakeDto, type MockLogEntryWire } from './messaging.api';
import { MockLogService } from './deliver-answers.service';
import { ReadDeliveryService, ReceiveMessagesService } from './receive-messages.service';
import { VerifyTokenGuard, WebhookSecretGuard } from './webhook.guard';

/** What messaging providers call, and a look at answers that were posted nowhere. */
@CompanionController('messaging')
export class MessagingController {
  constructor(
    private readonly deliveries: ReadDeliveryService,
    private readonly messages: ReceiveMessagesService,
    private readonly mock: MockLogService,
  ) {}

  /**
   * Confirms this webhook to a messaging provider by repeating its challenge.
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
   * Receives messages from outside; each is posted once, however often it is delivered.
   * @answers 401 the secret or the signature is missing or wrong, or the server has none
   * @answers 422 the body has neither format of a delivery
   * @answers 503 messages cannot be posted anywhere just now
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

  /** Lists answers that were posted nowhere, because `MESSAGING_SEND_URL` is not set. */
  @Get('mock-log')
  @AdministratorOnly()
  mockLog(@QueryParameters() query: PageQuery): Promise<PageAnswer<MockLogEntryWire>> {
    return this.mock.list(query);
  }
}
