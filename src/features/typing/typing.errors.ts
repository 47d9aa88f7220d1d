import { BadRequest } from '../../platform/errors/shared.errors';

/** A parameter that this kind of conversation needs is absent; worded by hand, as the endpoint has several kinds. */
export class MissingTypingTarget extends BadRequest {
  constructor(parameter: 'to' | 'stream_id') {
    super(`Missing '${parameter}' argument`);
  }
}

/** Typing of a direct message is told to an empty list of people. */
export class NoRecipients extends BadRequest {
  constructor() {
    super("Empty 'to' list");
  }
}

/** Typing in a channel is told without a topic. */
export class MissingTypingTopic extends BadRequest {
  constructor() {
    super('Missing topic');
  }
}

/** The person does not want others to know that they type. */
export class TypingNotificationsDisabled extends BadRequest {
  constructor(messages: 'direct messages' | 'channel messages') {
    super(`User has disabled typing notifications for ${messages}`);
  }
}
