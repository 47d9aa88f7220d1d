import { ApiError, refusal, unavailable } from './api-error';
import { BadRequest } from './shared.errors';

/** A value does not match its declared type; the message begins with the name of the parameter. */
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

/** The path does not exist on this server. */
export class NotFound extends refusal('Page not found', { code: 'NOT_FOUND', status: 404 }) {}

/** The request is for a host that is not allowed. */
export class MisdirectedRequest extends refusal('Unknown host. The operator can add it to ALLOWED_HOSTS.', {
  code: 'MISDIRECTED_REQUEST',
  status: 421,
}) {}

/** The path exists, but not for this method; sent before authentication and without a code. */
export class MethodNotAllowed extends ApiError {
  /** @param allowed methods of the path, sorted */
  constructor(allowed: readonly string[]) {
    super('Method Not Allowed', {
      code: null,
      status: 405,
      data: { allowed_methods: allowed },
      headers: { allow: allowed.join(', ') },
    });
  }
}

/** The body or one of its parts exceeds the server's limit. */
export class RequestTooLarge extends ApiError {
  constructor(message = 'Request body is too large') {
    super(message, { code: 'REQUEST_TOO_LARGE', status: 413 });
  }
}

/** The route does not accept this type of body. */
export class UnsupportedBody extends ApiError {
  constructor(message: string) {
    super(message, { code: 'UNSUPPORTED_MEDIA_TYPE', status: 415 });
  }
}

/** The requested range of a file starts after its end. */
export class RangeNotSatisfiable extends ApiError {
  /** @param size of the whole file, in bytes. */
  constructor(size: number) {
    super('Requested range outside the file', {
      status: 416,
      headers: { 'content-range': `bytes */${size}` },
    });
  }
}

/** The caller has exceeded a rate limit. */
export class RateLimitHit extends ApiError {
  /** @param retryAfter seconds, with fractions, until a request is allowed again */
  constructor(retryAfter: number, message = 'API usage exceeded rate limit') {
    super(message, {
      code: 'RATE_LIMIT_HIT',
      status: 429,
      data: { 'retry-after': retryAfter },
      headers: { 'retry-after': String(retryAfter) },
    });
  }
}

/** The queue for work of this kind is too long, or the server is stopping. */
export class ServerBusy extends unavailable('The server is busy. Try again in a moment.', 'SERVER_BUSY', 1) {}

/** The request takes longer than one caller may delay others. */
export class RequestTookTooLong extends unavailable(
  'Request timed out. Narrow it, for example to one channel, or try again later.',
  'TOOK_TOO_LONG',
  10,
) {}

/** The file storage service does not answer, or answers incorrectly. */
export class FileStorageUnreachable extends unavailable(
  'Files are temporarily unavailable. Try again in a moment.',
  'FILES_UNAVAILABLE',
  5,
) {
  /** @param reason only for the operator: completes a sentence, without a full stop */
  constructor(readonly reason: string) {
    super();
  }
}

/** The server is stopping and accepts no further requests. */
export class ServerStopping extends unavailable('The server is stopping', 'SERVER_STOPPING', 1) {}

/** The database is being moved, so writes are refused for some seconds; reads continue. */
export class WritesPaused extends unavailable(
  'Writes are paused while the database is being moved. Try again in a few seconds.',
  'WRITES_PAUSED',
  5,
) {}

/** The disk is full; none of the data was stored. */
export class StorageFull extends unavailable(
  'The server is out of disk space. Contact its operator.',
  'STORAGE_FULL',
  60,
) {}

/** The database does not answer; whether the data was stored is unknown. */
export class DatabaseUnreachable extends unavailable(
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

/**
 * A page that requires a session was opened without one: the browser is redirected to the sign-in page, and back from
 * there.
 */
export class SignInFirst extends ApiError {
  /** @param next the requested URL */
  constructor(next: string) {
    const query = next === '/' ? '' : `?${new URLSearchParams({ next }).toString()}`;
    super('Sign in first', { status: 302, headers: { location: `${SIGN_IN_PATH}${query}` } });
  }
}

/** The URL of the sign-in page, as clients write it. */
export const SIGN_IN_PATH = '/login/';
