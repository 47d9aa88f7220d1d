import { ApiError } from '../../platform/errors/api-error';

/** No such queue, an expired one, or one of somebody else. */
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

/** Guests see the public channels that they are in, and no others. */
export class PublicChannelsNotAllowed extends ApiError {
  constructor() {
    super('User not authorized for this query');
  }
}

/** An element of `narrow` that is not operator and operand. */
export class NarrowTermNotPair extends ApiError {
  constructor(index: number) {
    super(`narrow[${index}] should have exactly 2 items`);
  }
}

/** A client asks to be kept for a negative time, or for one whose word is not known. */
export class InvalidIdleTimeout extends ApiError {
  constructor() {
    super('Invalid idle_queue_timeout');
  }
}

/** Something that only people with an account can ask for. */
export class ParameterNotForAnonymous extends ApiError {
  constructor(name: string) {
    super(`Invalid '${name}' parameter for anonymous request`);
  }
}
