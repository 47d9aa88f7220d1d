import { ApiError, refusal } from '../../platform/errors/api-error';
import { BadRequest } from '../../platform/errors/shared.errors';
import { defineEvent } from '../../platform/events/server-event';
import { json } from '../../platform/http/parameters/json';
import { Parameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';

/** Tells a client that its connection works, after a while without events. */
export const heartbeat = defineEvent<Record<string, never>>('heartbeat');

/** The server was restarted. */
export const serverRestarted = defineEvent<{
  readonly zulip_version: string;
  readonly zulip_merge_base: string;
  readonly zulip_feature_level: number;
  readonly server_generation: number;
}>('restart');

/** There is no such queue, it has expired, or it belongs to another person. */
export class BadEventQueueId extends ApiError {
  constructor(queueId: string) {
    super(`Bad event queue ID: ${queueId}`, { code: 'BAD_EVENT_QUEUE_ID', data: { queue_id: queueId } });
  }
}

/** The client has acknowledged later events than this one before. */
export class EventAlreadyPruned extends ApiError {
  constructor(eventId: number) {
    super(`An event newer than ${eventId} has already been pruned!`);
  }
}

/** The client cannot have had an event with this ID from this queue. */
export class EventNotInQueue extends ApiError {
  constructor(eventId: number) {
    super(`Event ${eventId} was not in this queue`);
  }
}

/** A term that the narrow of a queue cannot have. */
export class NarrowOperatorUnsupported extends ApiError {
  constructor(operator: string) {
    super(`Operator ${operator} not supported.`);
  }
}

/** An `is` term that the narrow of a queue cannot have. */
export class NarrowOperandUnsupported extends ApiError {
  constructor(operand: string) {
    super(`Operand ${operand} not supported.`);
  }
}

/** Guests see only the public channels to which they are subscribed. */
export class PublicChannelsNotAllowed extends refusal('User not authorized for this query') {}

/** An element of `narrow` that is not operator and operand. */
export class NarrowTermNotPair extends ApiError {
  constructor(index: number) {
    super(`narrow[${index}] should have exactly 2 items`);
  }
}

/** A client asks for a negative idle time, or for one by an unknown word. */
export class InvalidIdleTimeout extends refusal('Invalid idle_queue_timeout') {}

/** A parameter that only people with an account may use. */
export class ParameterNotForAnonymous extends ApiError {
  constructor(name: string) {
    super(`Invalid '${name}' parameter for anonymous request`);
  }
}

/** A poll does not say which queue or event it means; the only missing parameters without a code of their own. */
export class NotNamed extends BadRequest {
  constructor(name: string) {
    super(`Missing '${name}' argument`);
  }
}

/** Parameters of `GET /events`. */
export class PollEventsDto {
  /** The queue that `POST /register` gave. It has to be there, but its absence is refused in Zulip's way. */
  @Parameter(text(), { optional: true }) queue_id?: string;
  /** ID of the newest event that the client has; has to be there, too. */
  @Parameter(json.integer(), { optional: true, checked: { minimum: -1 } }) last_event_id?: number;
  /** Whether to answer at once, even with nothing. */
  @Parameter(json.boolean(), { default: false }) dont_block!: boolean;
}

/** Parameters of `DELETE /events`. */
export class DeleteQueueDto {
  /** The queue that `POST /register` gave. */
  @Parameter(text()) queue_id!: string;
}
