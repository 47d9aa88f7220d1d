import { ApiError } from '../../../platform/errors/api-error';

/** What was sent is no playground. */
export class InvalidPlayground extends ApiError {}

/** A code playground is deleted, and none has this ID. */
export class PlaygroundNotFound extends ApiError {
  constructor() {
    super('Invalid playground');
  }
}

/** Names tell the playgrounds of a language apart. */
export class PlaygroundExists extends ApiError {
  constructor() {
    super('Realm playground with this Realm, Pygments language and Name already exists.');
  }
}

/** The organization has as many code playgrounds as it can have. */
export class TooManyPlaygrounds extends ApiError {
  constructor(limit: number) {
    super(`An organization can have at most ${limit} playgrounds.`);
  }
}
