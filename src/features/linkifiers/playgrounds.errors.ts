import { ApiError } from '../../platform/errors/api-error';

/** What was sent is no playground. */
export class InvalidPlayground extends ApiError {}

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

export class TooManyPlaygrounds extends ApiError {
  constructor(limit: number) {
    super(`An organization can have at most ${limit} playgrounds.`);
  }
}
