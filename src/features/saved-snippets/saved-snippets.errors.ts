import { ApiError } from '../../platform/errors/api-error';

/** No snippet has this ID, or it is somebody else's. */
export class SavedSnippetNotFound extends ApiError {
  constructor() {
    super('Saved snippet does not exist.', { status: 404 });
  }
}

/** Somebody wants to keep too many snippets. */
export class TooManySavedSnippets extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} saved snippets.`);
  }
}
