import type { Integration } from './reading/integration';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { refusal } from '../../../platform/errors/api-error';
import { BadRequest } from '../../../platform/errors/shared.errors';

/** An integration, as clients list it for generating bot URLs. */
export interface IntegrationRecord {
  readonly name: string;
  readonly display_name: string;
  /** Names for `only_events` and `exclude_events`; null if these have no effect. */
  readonly all_event_types: readonly string[] | null;
  /** Settings of new bots; always empty. */
  readonly config_options: readonly never[];
  /** URL parameters that clients prompt for; always empty, because people add parameters by hand. */
  readonly url_options: readonly never[];
}

/** The integrations for the initial state of clients. */
export function integrationsState(integrations: readonly Integration[]) {
  return {
    realm_incoming_webhook_bots: integrations.map(({ name, displayName, events }): IntegrationRecord => ({
      name,
      display_name: displayName,
      all_event_types: events,
      config_options: [],
      url_options: [],
    })),
  };
}

const patterns = json.array(json.text({ maxLength: 200 }), { maxItems: 100 });

/** Parameters of `POST /external/{integration}`, without those of single integrations. */
export class ReceiveWebhookDto {
  /** The calling service, such as `github`. */
  @PathParameter(text({ maxLength: 100 }))
  integration!: string;

  /** API key of a bot. */
  @Parameter(text())
  api_key!: string;

  /** Name or ID of the channel; by default, the bot's owner receives a direct message. */
  @Parameter(text({ maxLength: 1000 }), { optional: true })
  stream?: string;

  /** Topic in the channel; by default, the integration chooses one. */
  @Parameter(text({ unchecked: true }), { optional: true })
  topic?: string;

  /** Names of events to post, which may have wildcards; all others are ignored. */
  @Parameter(patterns, { optional: true, example: ['push*', 'issues'] })
  only_events?: string[];

  /** Names of events to ignore, which may have wildcards. */
  @Parameter(patterns, { optional: true, example: ['*_comment'] })
  exclude_events?: string[];
}

/** Name or ID of the channel in the URL; undefined for a message to the bot's owner. */
export function channelOf({ stream }: ReceiveWebhookDto): string | undefined {
  return stream;
}

/** No integration has this name. */
export class UnknownIntegration extends refusal('Unknown integration', { code: 'NOT_FOUND', status: 404 }) {}

/** The body is not JSON. */
export class MalformedPayload extends BadRequest {
  /** @param reason the parse error */
  constructor(reason: string) {
    super('Malformed JSON', { data: { reason } });
  }
}

/** The URL has no channel, and the bot has no owner to write to. */
export class BotWithoutOwner extends refusal(
  "This bot has no owner to write to. Name a channel by the parameter 'stream'.",
) {}

/** Unescapes channel and topic again, for services that escape them twice; leaves other text unchanged. */
export function unescapedAgain(input: ReceiveWebhookDto): ReceiveWebhookDto {
  return { ...input, stream: unescaped(input.stream), topic: unescaped(input.topic) };
}

function unescaped(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text);
  } catch {
    return text;
  }
}
