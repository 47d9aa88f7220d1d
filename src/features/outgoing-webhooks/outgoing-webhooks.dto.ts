import { PathParameter } from '../../platform/http/parameters/parameter.decorator';

/** Parameters of `GET /bots/{bot_id}/deliveries`. */
export class WebhookDeliveriesDto {
  /** ID of the bot. */
  @PathParameter() bot_id!: number;
}
