import { ApiError } from '../../errors/api-error';

/** A request that may come from another site; the reason helps client authors. */
export class RequestForged extends ApiError {
  constructor(reason: string) {
    super(`CSRF error: ${reason}`, { code: 'CSRF_FAILED', status: 403, data: { reason } });
  }
}

/** A page for people with a session was opened without one: the browser is led to the sign-in page, and back from there. */
export class SignInFirst extends ApiError {
  /** @param next the address that was opened */
  constructor(next: string) {
    const query = next === '/' ? '' : `?${new URLSearchParams({ next }).toString()}`;
    super('Sign in first', { status: 302, headers: { location: `${SIGN_IN_PATH}${query}` } });
  }
}

/** Where people sign in, as clients write it. */
export const SIGN_IN_PATH = '/login/';
