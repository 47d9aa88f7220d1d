import { ApiError } from '../../platform/errors/api-error';

/** The caller keeps drafts on their devices only. */
export class DraftsNotSynchronized extends ApiError {
  constructor() {
    super('User has disabled synchronizing drafts.');
  }
}

/** No draft has this ID, or it is somebody else's. */
export class DraftNotFound extends ApiError {
  constructor() {
    super('Draft does not exist', { status: 404 });
  }
}

/** Somebody wants to keep too many drafts. */
export class TooManyDrafts extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} drafts.`);
  }
}

/** A draft was edited before 1970. */
export class NegativeTimestamp extends ApiError {
  constructor() {
    super('Timestamp must not be negative.');
  }
}

/** The topic of a draft holds a NUL, which no column can store. */
export class NullInTopic extends ApiError {
  constructor() {
    super('Topic must not contain null bytes');
  }
}

/** A draft for a channel names none or several. */
export class NotOneChannel extends ApiError {
  constructor() {
    super('Must specify exactly 1 channel ID for channel messages');
  }
}
