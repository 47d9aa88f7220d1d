import { ApiError } from '../../../../platform/errors/api-error';
import type { Payload } from './payload';
import type { SafeText } from './safe-text';

/** The header that says what happened is missing. */
export class MissingEventHeader extends ApiError {
  constructor(service: string, header: string) {
    super(`Missing the HTTP event header '${header}'`, {
      code: 'MISSING_HTTP_EVENT_HEADER',
      data: { header, webhook_name: service },
    });
  }
}

/** The service may send this, and nothing here says what it means. 200, so that services do not send it again. */
class UnsupportedEvent extends ApiError {
  constructor(service: string, event: string) {
    super(`The '${event}' event isn't currently supported by the ${service} webhook; ignoring`, {
      code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
      status: 200,
      data: { webhook_name: service, event_type: event },
    });
  }
}

/** What a service is to be told of: a topic, and what to say in it. */
export interface IntegrationPost {
  /** By which `only_events` and `exclude_events` select it; null where the service has only one kind of event. */
  readonly event: string | null;
  /** Used unless the address names one. */
  readonly topic: string;
  /** A getter where one call may bring hundreds of posts: it is read for those that are sent. */
  readonly content: SafeText;
}

/** The bot in whose name the service writes. */
export interface IntegrationBot {
  readonly id: number;
  readonly fullName: string;
  readonly email: string;
}

/** Keys of an answer that some services wait for. */
export interface IntegrationAnswer {
  /** For programs that expect Slack. */
  readonly ok?: boolean;
  /** For services that ask whose address it is: name, address and ID of the bot. */
  readonly full_name?: string;
  readonly email?: string;
  readonly id?: number;
}

/** Where headers and parameters of a request are. */
export interface RequestParts {
  header(name: string): string | null;
  parameter(name: string): string | null;
}

/** A call of a service, as its integration reads it. */
export class IntegrationCall {
  constructor(
    private readonly displayName: string,
    readonly payload: Payload,
    private readonly request: RequestParts,
    readonly bot: IntegrationBot,
    /** Whether the topic will not say what the message is about: the address names one, or it goes to a person. */
    readonly namesItself: boolean,
  ) {}

  /** The header that says what happened. @throws MissingEventHeader */
  eventHeader(name: string): string {
    const value = this.request.header(name.toLowerCase());
    if (value === null) throw new MissingEventHeader(this.displayName, name);
    return value.slice(0, 100);
  }

  header(name: string): string | null {
    return this.request.header(name.toLowerCase());
  }

  /** A parameter of the address, one of the integration's `options`. */
  option(name: string): string | null {
    return this.request.parameter(name);
  }

  /** Whether an option with commas names something; it names everything where it is absent. */
  optionNames(option: string, name: string): boolean {
    const names = this.option(option);
    return names === null || names.split(',').some((each) => each.trim() === name);
  }

  /** For `throw`: nothing here knows this event. */
  unsupported(event: string): ApiError {
    return new UnsupportedEvent(this.displayName, event.slice(0, 100));
  }
}

/** Reads one kind of event; null for what is not worth a message. */
export type EventReader = (call: IntegrationCall) => IntegrationPost | null;

/** A parameter of the address that only one integration has. */
export interface IntegrationOption {
  readonly name: string;
  readonly about: string;
}

/** A service whose calls are understood: one file each. */
export interface Integration {
  /** As the address has it: small letters, digits and `_`. */
  readonly name: string;
  /** Further names in addresses. */
  readonly aliases?: readonly string[];
  readonly displayName: string;
  /** What it tells of, for people who set it up: a sentence. */
  readonly about: string;
  /** What `only_events` and `exclude_events` may name; null where they have no effect. */
  readonly events: readonly string[] | null;
  readonly options?: readonly IntegrationOption[];
  /** Whether it escapes `stream` and `topic` of the address twice. */
  readonly escapesTwice?: boolean;
  /** Whether it may send form fields as the payload instead of JSON. */
  readonly takesForm?: boolean;
  /**
   * Returns the messages to post, or none.
   * @throws ApiError where the call is not of this service
   */
  read(call: IntegrationCall): IntegrationPost | readonly IntegrationPost[] | null;
  /** Keys of the answer that the service waits for. */
  answer?(call: IntegrationCall): IntegrationAnswer;
  /** What a refusal has beside the usual keys. */
  refusal?(message: string): Readonly<Record<string, unknown>>;
}
