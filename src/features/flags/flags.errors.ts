import { ApiError } from '../../platform/errors/api-error';

/** No flag has this name; `wildcard_mentioned` is none that can be named, as it follows from two others. */
export class UnknownFlag extends ApiError {
  constructor(flag: string) {
    super(`Invalid flag: '${flag}'`);
  }
}

/** The flag follows from what a message says, or from how it came to be the caller's. */
export class FlagNotEditable extends ApiError {
  constructor(flag: string) {
    super(`Flag not editable: '${flag}'`);
  }
}

/** Neither `add` nor `remove`. */
export class InvalidFlagOperation extends ApiError {
  constructor(operation: string) {
    super(`Invalid message flag operation: '${operation}'`);
  }
}

/** The caller has no message of the topic in their history, whether there are any or not. */
export class NoSuchTopic extends ApiError {
  constructor(topic: string) {
    super(`No such topic '${topic}'`);
  }
}

/** The organization has switched read receipts off. */
export class ReadReceiptsDisabled extends ApiError {
  constructor() {
    super('Read receipts are disabled in this organization.');
  }
}
