import { ApiError, refusal } from '../../../platform/errors/api-error';

/** The account has no named key with this ID, or it was revoked. */
export class NoSuchNamedKey extends refusal('No such key', { code: 'NOT_FOUND', status: 404 }) {}

/** The account has reached the limit of named keys. */
export class TooManyNamedKeys extends ApiError {
  constructor(limit: number) {
    super(`This account already has ${limit} keys. Revoke one first.`, { companion: { status: 409 } });
  }
}
