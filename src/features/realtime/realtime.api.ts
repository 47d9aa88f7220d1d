import { defineEvent } from '../../platform/events/server-event';
import { ApiError, refusal } from '../../platform/errors/api-error';
import { BadRequest } from '../../platform/errors/shared.errors';

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
