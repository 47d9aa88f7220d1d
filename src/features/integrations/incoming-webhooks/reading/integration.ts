import { ApiError } from '../../../../platform/errors/api-error';
import type { Payload } from './payload';
import type { SafeText } from './safe-text';

/** The header with the event name is missing. */
export class MissingEventHeader extends ApiError {
  constructor(service: string, header: string) {
    super(`Missing the HTTP event header '${header}'`, {
      code: 'MISSING_HTTP_EVENT_HEADER',
      data: { header, webhook_name: service },
    });
  }
}

/** The integration does not support this event. Status 200, so that services do not retry. */
class UnsupportedEvent extends ApiError {
  constructor(service: string, event: string) {
    super(`The '${event}' event isn't currently supported by the ${service} webhook; ignoring`, {
      code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
      status: 200,
      data: { webhook_name: service, event_type: event },
    });
  }
}

/** A message to post. */
export interface IntegrationPost {
  /** Name for `only_events` and `exclude_events`; null if the service has only one kind of event. */
  readonly event: string | null;
  /** Used unless the URL has a topic. */
  readonly topic: string;
  /** A getter if one call may produce hundreds of posts, since only some are sent. */
  readonly content: SafeText;
}

/** The bot that posts for the service. */
export interface IntegrationBot {
  readonly id: number;
  readonly fullName: string;
  readonly email: string;
}

/** Response keys that some services expect. */
export interface IntegrationAnswer {
  /** For programs that expect Slack. */
  readonly ok?: boolean;
  /** For services that ask for the owner of the URL: name, email address and ID of the bot. */
  readonly full_name?: string;
  readonly email?: string;
  readonly id?: number;
}

/** Access to the headers and parameters of a request. */
export interface RequestParts {
  header(name: string): string | null;
  parameter(name: string): string | null;
}

/** A webhook call, as integrations read it. */
export class IntegrationCall {
  constructor(
    private readonly displayName: string,
    readonly payload: Payload,
    private readonly request: RequestParts,
    readonly bot: IntegrationBot,
    /** Whether the text must name its subject: the URL sets the topic, or the message is direct and has none. */
    readonly namesItself: boolean,
  ) {}

  /** The value of the header with the event name. @throws MissingEventHeader */
  eventHeader(name: string): string {
    const value = this.request.header(name.toLowerCase());
    if (value === null) throw new MissingEventHeader(this.displayName, name);
    return value.slice(0, 100);
  }

  header(name: string): string | null {
    return this.request.header(name.toLowerCase());
  }

  /** A URL parameter, one of the integration's `options`. */
  option(name: string): string | null {
    return this.request.parameter(name);
  }

  /** Whether a comma-separated option contains a name, or is missing. */
  optionNames(option: string, name: string): boolean {
    const names = this.option(option);
    return names === null || names.split(',').some((each) => each.trim() === name);
  }

  /** Creates the error for an unsupported event. */
  unsupported(event: string): ApiError {
    return new UnsupportedEvent(this.displayName, event.slice(0, 100));
  }
}

/** Converts one kind of event to a message; null if it is not worth one. */
export type EventReader = (call: IntegrationCall) => IntegrationPost | null;

/** A URL parameter of an integration. */
export interface IntegrationOption {
  readonly name: string;
  readonly about: string;
}

/** Converts the webhooks of one service to messages. */
export interface Integration {
  /** Name in URLs: lowercase letters, digits and `_`. */
  readonly name: string;
  /** Other names in URLs. */
  readonly aliases?: readonly string[];
  readonly displayName: string;
  /** What it reports, in a sentence, for people who set it up. */
  readonly about: string;
  /** Names for `only_events` and `exclude_events`; null if these have no effect. */
  readonly events: readonly string[] | null;
  readonly options?: readonly IntegrationOption[];
  /** Whether the service escapes `stream` and `topic` in the URL twice. */
  readonly escapesTwice?: boolean;
  /** Whether the service may send form fields as the payload instead of JSON. */
  readonly takesForm?: boolean;
  /**
   * Returns the messages to post, or none.
   * @throws ApiError if the call is not from this service
   */
  read(call: IntegrationCall): IntegrationPost | readonly IntegrationPost[] | null;
  /** Response keys that the service expects. */
  answer?(call: IntegrationCall): IntegrationAnswer;
  /** Extra keys of error responses. */
  refusal?(message: string): Readonly<Record<string, unknown>>;
}
