import { ApiError, refusal, unavailable } from './api-error';
import { BadRequest } from './shared.errors';

/** A value that does not match its declared type; the sentence begins with the name of the parameter. */
export class ParameterProblem extends BadRequest {}

/** A required parameter is absent. */
export class MissingParameter extends ApiError {
  constructor(name: string) {
    super(`Missing '${name}' argument`, { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: name } });
  }
}

/** One parameter was sent under two of its names. */
export class ConfusingParameters extends ApiError {
  constructor(first: string, second: string) {
    super(`Can't decide between '${first}' and '${second}' arguments`, {
      code: 'REQUEST_CONFUSING_VAR',
      data: { var_name1: first, var_name2: second },
    });
  }
}

/** The path names nothing on this server. */
export class NotFound extends refusal('Page not found', { code: 'NOT_FOUND', status: 404 }) {}

/** The request names a host that this server does not answer for. */
export class MisdirectedRequest extends refusal('Unknown host. The operator can add it to ALLOWED_HOSTS.', {
  code: 'MISDIRECTED_REQUEST',
  status: 421,
}) {}

/** The path exists, but not for this method; answered before authentication and without a code. */
export class MethodNotAllowed extends ApiError {
  /** @param allowed methods the path serves, sorted. */
  constructor(allowed: readonly string[]) {
    super('Method Not Allowed', {
      code: null,
      status: 405,
      data: { allowed_methods: allowed },
      headers: { allow: allowed.join(', ') },
    });
  }
}

/** The body or one of its parts is larger than the server reads. */
export class RequestTooLarge extends ApiError {
  constructor(message = 'Request body is too large') {
    super(message, { code: 'REQUEST_TOO_LARGE', status: 413 });
  }
}

/** The body has a form the route does not take. */
export class UnsupportedBody extends ApiError {
  constructor(message: string) {
    super(message, { code: 'UNSUPPORTED_MEDIA_TYPE', status: 415 });
  }
}

/** The requested range of a file starts behind its end. */
export class RangeNotSatisfiable extends ApiError {
  /** @param size of the whole file, in bytes. */
  constructor(size: number) {
    super('Requested range outside the file', {
      status: 416,
      headers: { 'content-range': `bytes */${size}` },
    });
  }
}

/** The caller has used up its requests. */
export class RateLimitHit extends ApiError {
  /** @param retryAfter seconds, with fraction, until a request is allowed again. */
  constructor(retryAfter: number, message = 'API usage exceeded rate limit') {
    super(message, {
      code: 'RATE_LIMIT_HIT',
      status: 429,
      data: { 'retry-after': retryAfter },
      headers: { 'retry-after': String(retryAfter) },
    });
  }
}

/** More work of this kind waits than can be done in reasonable time, or the server is stopping. */
export class ServerBusy extends unavailable('The server is busy. Try again in a moment.', 'SERVER_BUSY', 1) {}

/** What was asked for takes longer than one caller may keep others waiting. */
export class TookTooLong extends unavailable(
  'Request timed out. Narrow it, for example to one channel, or try again later.',
  'TOOK_TOO_LONG',
  10,
) {}

/** The service that keeps the files of this organization does not answer, or not as it should. */
export class FilesAway extends unavailable(
  'Files are temporarily unavailable. Try again in a moment.',
  'FILES_UNAVAILABLE',
  5,
) {
  /** @param reason for the operator alone: completes a sentence, without its full stop */
  constructor(readonly reason: string) {
    super();
  }
}

/** The server is stopping and takes no further requests. */
export class ServerStopping extends unavailable('The server is stopping', 'SERVER_STOPPING', 1) {}

/** The database is being moved, and nothing may be stored for some seconds; reading goes on. */
export class WritesPaused extends unavailable(
  'Writes are paused while the database is being moved. Try again in a few seconds.',
  'WRITES_PAUSED',
  5,
) {}

/** There is no room left for the data; none of it was stored. */
export class StorageFull extends unavailable(
  'The server is out of disk space. Contact its operator.',
  'STORAGE_FULL',
  60,
) {}

/** The database does not answer; whether the data was stored is not known. */
export class DatabaseAway extends unavailable(
  'The server cannot reach its database. Try again in a moment.',
  'DATABASE_UNAVAILABLE',
  5,
) {}

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
