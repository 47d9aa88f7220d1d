import type { Integration } from './reading/integration';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { refusal } from '../../../platform/errors/api-error';
import { BadRequest } from '../../../platform/errors/shared.errors';

/** An integration, as clients show it where addresses for bots are made. */
export interface IntegrationRecord {
  readonly name: string;
  readonly display_name: string;
  /** Names that `only_events` and `exclude_events` may have; null where they have no effect. */
  readonly all_event_types: readonly string[] | null;
  /** What is set when a bot is made: nothing here. */
  readonly config_options: readonly never[];
  /** Further parameters of the address that clients ask for; those there are, people add themselves. */
  readonly url_options: readonly never[];
}

/** Integrations, in the state of a registering client. */
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

/** Nothing here understands a service of this name. */
export class UnknownIntegration extends refusal('Unknown integration', { code: 'NOT_FOUND', status: 404 }) {}

/** The body is not JSON. */
export class MalformedPayload extends BadRequest {
  /** @param reason what about it is wrong */
  constructor(reason: string) {
    super('Malformed JSON', { data: { reason } });
  }
}

/** Without a channel, a bot writes to its owner, and this one has none. */
export class NobodyToTell extends refusal(
  "This bot has no owner to write to. Name a channel by the parameter 'stream'.",
) {}

/** The parameters of a service that escapes channel and topic twice. What is not escaped a second time stays as it is. */
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
