import { ApiError } from '../../platform/errors/api-error';
import type { FieldProblems } from './rules/field-problems';

/** What was sent is no linkifier. The message is the first problem; `errors` lists all of them by field. */
export class InvalidLinkifier extends ApiError {
  constructor(problems: FieldProblems) {
    super(problems.first ?? '', { data: { errors: problems.byField() } });
  }
}

/** A text can be written again from an address only as far as an example shows how. */
export class ExampleInputMissing extends ApiError {
  constructor() {
    super('Example text is required for the auto-conversion field.');
  }
}

export class LinkifierNotFound extends ApiError {
  constructor() {
    super('Linkifier not found.');
  }
}

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

export class LinkifierNamedTwice extends ApiError {
  constructor() {
    super('The ordered list must not contain duplicated linkifiers');
  }
}

export class LinkifierOrderIncomplete extends ApiError {
  constructor() {
    super('The ordered list must enumerate all existing linkifiers exactly once');
  }
}
