import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';

const patterns = json.array(json.text({ maxLength: 200 }), { maxItems: 100 });

/** Parameters of `POST /external/{integration}`; integrations have some of their own. */
export class ReceiveWebhookDto {
  /** Which service calls, such as `github`. */
  @PathParameter(text({ maxLength: 100 }))
  integration!: string;

  /** API key of a bot. */
  @Parameter(text())
  api_key!: string;

  /** Name or ID of the channel; without it, the owner of the bot gets a direct message. */
  @Parameter(text({ maxLength: 1000 }), { optional: true })
  stream?: string;

  /** Topic in the channel, in place of that which the integration chooses. */
  @Parameter(text({ unchecked: true }), { optional: true })
  topic?: string;

  /** Events that are wanted, as names that may have wildcards; all others are passed over. */
  @Parameter(patterns, { optional: true, example: ['push*', 'issues'] })
  only_events?: string[];

  /** Events that are not wanted. */
  @Parameter(patterns, { optional: true, example: ['*_comment'] })
  exclude_events?: string[];
}

/** Name or ID of the channel that the address names; undefined where it goes to the owner of the bot. */
export function channelOf({ stream }: ReceiveWebhookDto): string | undefined {
  return stream;
}
