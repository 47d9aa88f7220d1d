import { ApiError } from '../../../platform/errors/api-error';

/** The person has no session with this ID, or it has ended. */
export class NoSuchSession extends ApiError {
  constructor() {
    super('No such session', { code: 'NOT_FOUND', status: 404 });
  }
}
