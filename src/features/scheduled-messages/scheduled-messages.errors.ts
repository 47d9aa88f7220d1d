import { ApiError } from '../../platform/errors/api-error';

/** Something is to happen at a time that has passed. */
export class DeliveryTimeNotInFuture extends ApiError {
  constructor() {
    super('Scheduled delivery time must be in the future.');
  }
}

/** No scheduled message has this ID, or it is somebody else's, or it has been sent. */
export class ScheduledMessageNotFound extends ApiError {
  constructor() {
    super('Scheduled message does not exist', { status: 404 });
  }
}

/** An edit of a scheduled message names nothing to change. */
export class NothingToReschedule extends ApiError {
  constructor() {
    super('Nothing to change');
  }
}

/** An edit makes it another kind of message, and does not say where to. */
export class RecipientRequired extends ApiError {
  constructor() {
    super('Recipient required when updating type of scheduled message.');
  }
}

/** An edit makes it a channel message, and does not name the topic. */
export class TopicRequired extends ApiError {
  constructor() {
    super('Topic required when updating scheduled message type to channel.');
  }
}

/** A channel message names its channel by something else than an ID. */
export class NoChannelId extends ApiError {
  constructor() {
    super('Invalid data type for channel ID');
  }
}

/** A direct message names its recipients by something else than a list of IDs. */
export class NoRecipientIds extends ApiError {
  constructor() {
    super('Invalid data type for recipients');
  }
}

/** Somebody wants to schedule too many messages. */
export class TooManyScheduledMessages extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} scheduled messages.`);
  }
}

/** The messages that somebody has scheduled hold too much text. */
export class ScheduledMessagesTooLarge extends ApiError {
  constructor() {
    super('Your scheduled messages are too large. Send or delete some of them first.');
  }
}
