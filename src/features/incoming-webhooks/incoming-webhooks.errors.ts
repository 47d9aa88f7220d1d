import { ApiError } from '../../platform/errors/api-error';
import { BadRequest } from '../../platform/errors/shared.errors';

/** Nothing here understands a service of this name. */
export class UnknownIntegration extends ApiError {
  constructor() {
    super('Unknown integration', { code: 'NOT_FOUND', status: 404 });
  }
}

/** The body is not JSON. */
export class MalformedPayload extends BadRequest {
  /** @param reason what about it is wrong */
  constructor(reason: string) {
    super('Malformed JSON', { data: { reason } });
  }
}

/** The body is JSON, but not what the service sends: a field that has to be there is missing or is something else. */
export class StrangePayload extends ApiError {
  constructor(service: string, field: string) {
    super(`Unable to parse request: Did ${service} generate this event?`, {
      code: 'ANOMALOUS_WEBHOOK_PAYLOAD',
      data: { webhook_name: service, field },
    });
  }
}

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
export class UnsupportedEvent extends ApiError {
  constructor(service: string, event: string) {
    super(`The '${event}' event isn't currently supported by the ${service} webhook; ignoring`, {
      code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
      status: 200,
      data: { webhook_name: service, event_type: event },
    });
  }
}

/** Without a channel, a bot writes to its owner, and this one has none. */
export class NobodyToTell extends BadRequest {
  constructor() {
    super("This bot has no owner to write to. Name a channel by the parameter 'stream'.");
  }
}
