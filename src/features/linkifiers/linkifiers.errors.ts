import { ApiError } from '../../platform/errors/api-error';

/** What was sent is no linkifier. The message is the first problem; `errors` lists all of them by field. */
export class InvalidLinkifier extends ApiError {
  constructor(problems: Readonly<Record<string, readonly string[]>>) {
    super(Object.values(problems)[0]?.[0] ?? '', { data: { errors: problems } });
  }
}

/** A text can be written again from an address only as far as an example shows how. */
export class ExampleInputMissing extends ApiError {
  constructor() {
    super('Example text is required for the auto-conversion field.');
  }
}

/** A linkifier is changed or deleted, and none has this ID. */
export class LinkifierNotFound extends ApiError {
  constructor() {
    super('Linkifier not found.');
  }
}

/** The organization has as many linkifiers as it can have, so that rendering stays fast. */
export class TooManyLinkifiers extends ApiError {
  constructor(limit: number) {
    super(`An organization can have at most ${limit} linkifiers.`);
  }
}

/** Each message is searched for all patterns, so that they are bounded together too. */
export class LinkifierPatternsTooLarge extends ApiError {
  constructor() {
    super('The patterns of all linkifiers are too large together.');
  }
}

/** A new order of the linkifiers names one of them twice. */
export class LinkifierNamedTwice extends ApiError {
  constructor() {
    super('The ordered list must not contain duplicated linkifiers');
  }
}

/** A new order of the linkifiers leaves one out, or names one that does not exist. */
export class LinkifierOrderIncomplete extends ApiError {
  constructor() {
    super('The ordered list must enumerate all existing linkifiers exactly once');
  }
}
