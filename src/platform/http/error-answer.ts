import { HttpException } from '@nestjs/common';
import { ApiError } from '../errors/api-error';
import { UnprocessableEntity } from '../errors/companion.errors';
import { isDatabaseAway, isDiskFull, isTimedOut } from '../errors/outages';
import { DatabaseAway, NotFound, StorageFull, TookTooLong } from '../errors/request.errors';
import { isDirectoryInterface, isMainInterface } from './doors/door';

/** An error as it is sent. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** What callers learn of an internal failure. */
const INTERNAL = new ApiError('Internal server error', { code: null, status: 500 });

/** Codes of errors that come from the framework, for which the interface defines none. */
const CODES: Readonly<Record<number, string>> = {
  413: 'REQUEST_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/**
 * The error that a caller sees for anything that was thrown. Outages become a 503, and unknown errors a 500 without
 * details.
 */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) {
    return thrown;
  }
  const status = statusOf(thrown);
  if (status < 400 || status >= 500) {
    if (isDiskFull(thrown)) return new StorageFull();
    if (isTimedOut(thrown)) return new TookTooLong();
    return isDatabaseAway(thrown) ? new DatabaseAway() : INTERNAL;
  }
  // Nest's message repeats the path, when it matches a route whose parameter is empty.
  if (status === 404) return new NotFound();
  return new ApiError((thrown as Error).message, { status, code: CODES[status] ?? 'BAD_REQUEST' });
}

/** The status that Nest or Fastify gave its own error; 500 for anything else. */
function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) {
    return thrown.getStatus();
  }
  const { statusCode, name } = thrown as { statusCode?: unknown; name?: unknown };
  return name === 'FastifyError' && typeof statusCode === 'number' ? statusCode : 500;
}

/** Puts an error into the shape of the interface it belongs to. */
export function errorAnswer(error: ApiError, url: string): ErrorAnswer {
  const { status, headers, companion } = error;
  const isMain = isMainInterface(url);
  if (!isMain && isDirectoryInterface(url)) return directoryAnswer(error);
  return {
    status: isMain ? status : (companion.status ?? status),
    headers: {
      ...(isMain ? headers : withWholeSeconds(headers)),
      'content-type': 'application/json; charset=utf-8',
    },
    body: `${JSON.stringify(isMain ? envelope(error) : detail(error))}\n`,
  };
}

function envelope({ message, code, data }: ApiError): object {
  return { result: 'error', msg: message, ...(code === null ? {} : { code }), ...data };
}

function detail(error: ApiError): object {
  const { advisedMessage, companion } = error;
  return {
    detail: error instanceof UnprocessableEntity ? error.problems : advisedMessage,
    ...companion.data,
  };
}

/** The form of SCIM (RFC 7644, 3.12), in which the status is a text. */
function directoryAnswer({ advisedMessage, status: general, headers, companion }: ApiError): ErrorAnswer {
  const status = companion.status ?? general;
  const scimType = companion.data?.scimType;
  const body = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    detail: advisedMessage,
    status: String(status),
    ...(typeof scimType === 'string' ? { scimType } : {}),
  };
  return {
    status,
    headers: { ...withWholeSeconds(headers), 'content-type': 'application/scim+json; charset=utf-8' },
    body: `${JSON.stringify(body)}\n`,
  };
}

/** The main interface states fractions of seconds, as Zulip does; the header is defined for whole ones. */
function withWholeSeconds(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { 'retry-after': seconds, ...rest } = headers;
  return seconds === undefined ? rest : { ...rest, 'retry-after': String(Math.ceil(Number(seconds))) };
}
