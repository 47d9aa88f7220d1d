import { ApiError } from '../../platform/errors/api-error';

/** What a client sends about a widget is not what one is made of. */
export class BadWidget extends ApiError {
  constructor(problem: string) {
    super(`Widgets: ${problem}`);
  }
}

/** What a client sends to a poll or a to-do list is nothing that can be done with it. */
export class BadWidgetData extends ApiError {}

/** The content of a submessage is no JSON. */
export class BadSubmessageJson extends ApiError {
  constructor() {
    super('Invalid json for submessage');
  }
}

/** The sender of the message has attached nothing to it that others could take part in. */
export class CannotAttach extends ApiError {
  constructor() {
    super('You cannot attach a submessage to this message.');
  }
}

/** The caller has attached so much to a message that nothing more fits. */
export class TooManyOwnSubmessages extends ApiError {
  constructor() {
    super('You have attached too much to this message.');
  }
}

/** So much is attached to a message that nothing more fits. */
export class TooManySubmessages extends ApiError {
  constructor() {
    super('Too much is attached to this message.');
  }
}
