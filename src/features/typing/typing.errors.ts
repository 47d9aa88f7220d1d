import { BadRequest } from '../../platform/errors/shared.errors';

/** A parameter that this kind of conversation needs is absent; worded by hand, as the endpoint has several kinds. */
export class MissingTypingTarget extends BadRequest {
  constructor(parameter: 'to' | 'stream_id') {
    super(`Missing '${parameter}' argument`);
  }
}

/** Typing a direct message is reported with an empty list of people. */
export class NoRecipients extends BadRequest {
  constructor() {
    super("Empty 'to' list");
  }
}

/** Typing in a channel is reported without a topic. */
export class MissingTypingTopic extends BadRequest {
  constructor() {
    super('Missing topic');
  }
}

/** The person does not let others see them typing. */
export class TypingNotificationsDisabled extends BadRequest {
  constructor(messages: 'direct messages' | 'channel messages') {
    super(`User has disabled typing notifications for ${messages}`);
  }
}
