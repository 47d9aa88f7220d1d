import { ApiError, refusal } from '../../platform/errors/api-error';
import { BadRequest } from '../../platform/errors/shared.errors';
import { defineEvent } from '../../platform/events/server-event';
import { json } from '../../platform/http/parameters/json';
import { Parameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';

/** Informs a client, after a while without events, that its connection works. */
export const heartbeat = defineEvent<Record<string, never>>('heartbeat');

/** The server was restarted. */
export const serverRestarted = defineEvent<{
  readonly zulip_version: string;
  readonly zulip_merge_base: string;
  readonly zulip_feature_level: number;
  readonly server_generation: number;
}>('restart');

/** The queue does not exist, has expired, or belongs to another person. */
export class BadEventQueueId extends ApiError {
  constructor(queueId: string) {
    super(`Bad event queue ID: ${queueId}`, { code: 'BAD_EVENT_QUEUE_ID', data: { queue_id: queueId } });
  }
}

/** The client has already acknowledged later events. */
export class EventAlreadyPruned extends ApiError {
  constructor(eventId: number) {
    super(`An event newer than ${eventId} has already been pruned!`);
  }
}

/** The client cannot have received an event with this ID from this queue. */
export class EventNotInQueue extends ApiError {
  constructor(eventId: number) {
    super(`Event ${eventId} was not in this queue`);
  }
}

/** The narrow of a queue does not support the operator. */
export class NarrowOperatorUnsupported extends ApiError {
  constructor(operator: string) {
    super(`Operator ${operator} not supported.`);
  }
}

/** The narrow of a queue does not support the operand of `is`. */
export class NarrowOperandUnsupported extends ApiError {
  constructor(operand: string) {
    super(`Operand ${operand} not supported.`);
  }
}

/** Guests see only the public channels to which they are subscribed. */
export class PublicChannelsNotAllowed extends refusal('User not authorized for this query') {}

/** An element of `narrow` is not a pair of operator and operand. */
export class NarrowTermNotPair extends ApiError {
  constructor(index: number) {
    super(`narrow[${index}] should have exactly 2 items`);
  }
}

/** The idle time is negative or an unknown word. */
export class InvalidIdleTimeout extends refusal('Invalid idle_queue_timeout') {}

/** A parameter that only people with an account may use. */
export class ParameterNotForAnonymous extends ApiError {
  constructor(name: string) {
    super(`Invalid '${name}' parameter for anonymous request`);
  }
}

/** A poll lacks the queue or the event; the only missing parameters without a specific code. */
export class NotNamed extends BadRequest {
  constructor(name: string) {
    super(`Missing '${name}' argument`);
  }
}

/** Parameters of `GET /events`. */
export class PollEventsDto {
  /** ID of the queue, from `POST /register`. Required, but its absence is refused in Zulip's way. */
  @Parameter(text(), { optional: true }) queue_id?: string;
  /** ID of the newest event that the client has received; required as well. */
  @Parameter(json.integer(), { optional: true, checked: { minimum: -1 } }) last_event_id?: number;
  /** Whether to answer immediately, even without events. */
  @Parameter(json.boolean(), { default: false }) dont_block!: boolean;
}

/** Parameters of `DELETE /events`. */
export class DeleteQueueDto {
  /** ID of the queue, from `POST /register`. */
  @Parameter(text()) queue_id!: string;
}
