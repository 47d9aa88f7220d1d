import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { HttpException } from '@nestjs/common';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDirectoryInterface, isMainInterface } from './doors/door';
import { securityHeaders, type Transport } from './transport-security';
import { ApiError } from '../errors/api-error';
import { UnprocessableEntity } from '../errors/companion.errors';
import { isDatabaseUnreachable, isDiskFull, isTimedOut } from '../errors/outages';
import { DatabaseUnreachable, NotFound, StorageFull, RequestTookTooLong } from '../errors/request.errors';

/** An error as it is sent. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** What callers see of an internal failure. */
const INTERNAL = new ApiError('Internal server error', { code: null, status: 500 });

/** Codes of framework errors, for which the interface defines none. */
const CODES: Readonly<Record<number, string>> = {
  413: 'REQUEST_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/** The error that a caller sees for anything thrown. Outages become a 503, and unknown errors a 500 without details. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) {
    return thrown;
  }
  const status = statusOf(thrown);
  if (status < 400 || status >= 500) {
    if (isDiskFull(thrown)) return new StorageFull();
    if (isTimedOut(thrown)) return new RequestTookTooLong();
    return isDatabaseUnreachable(thrown) ? new DatabaseUnreachable() : INTERNAL;
  }
  // Nest's message repeats the path when it matches a route but the parameter is empty.
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

/** Formats an error for the interface that the URL belongs to. */
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

/** The error format of SCIM (RFC 7644, 3.12), in which the status is a string. */
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

/** The main interface uses fractions of seconds, as Zulip does; the header is defined for integers. */
function withWholeSeconds(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { 'retry-after': seconds, ...rest } = headers;
  return seconds === undefined ? rest : { ...rest, 'retry-after': String(Math.ceil(Number(seconds))) };
}

/** If parsing failed, the path is unknown: such answers have the format of the main interface. */
const UNKNOWN_URL = '/api/v1/';

/**
 * Answers requests that the HTTP parser refuses: malformed ones, headers that are too large, requests that never end. A
 * client that fails the TLS handshake cannot be answered.
 */
export function answerParserError(
  error: Error & { code?: string },
  socket: Socket,
  transport: Transport,
): void {
  if (error.code === 'ECONNRESET' || /^ERR_(SSL|TLS)_/.test(error.code ?? '') || !socket.writable) {
    socket.destroy();
    return;
  }
  const isSecure = transport.isSecureConnection(socket);
  const { status, headers, body } = wholeAnswer(parserProblem(error.code), UNKNOWN_URL, isSecure);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}connection: close\r\n\r\n`;
  socket.end(head + body, () => socket.destroy());
}

/** An answer with all its headers, for cases in which no hook or reply adds them. */
function wholeAnswer(error: ApiError, url: string, isSecure: boolean): ErrorAnswer {
  const answer = errorAnswer(error, url);
  const security = securityHeaders(url, randomUUID(), isSecure);
  const length = { 'content-length': String(Buffer.byteLength(answer.body)) };
  return { ...answer, headers: { ...security, ...answer.headers, ...length } };
}

function parserProblem(code: string | undefined): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('Request headers are too large', { status: 431 });
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('Request body is too large', { status: 413, code: 'REQUEST_TOO_LARGE' });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('The request took too long to arrive', { status: 408 });
    default:
      return new ApiError('Malformed HTTP request');
  }
}

/** Answers requests that the router refuses before any hook runs: paths that cannot be decoded or are too long. */
export function answerRouterError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  transport: Transport,
): void {
  const { status, headers, body } = errorAnswer(routerProblem(error), request.url);
  const security = securityHeaders(request.url, request.id, transport.isSecureRequest(request.raw));
  void reply
    .code(status)
    .headers({ ...security, ...headers })
    .send(body);
}

function routerProblem(error: FastifyError): ApiError {
  switch (error.code) {
    case 'FST_ERR_BAD_URL':
      return new ApiError('Malformed path');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError('The path is too long', { status: 414 });
    default:
      return asApiError(error);
  }
}

/** Replaces the refusals that Node would otherwise send itself, without any headers. */
export function registerConnectionErrors(fastify: FastifyInstance, transport: Transport): void {
  fastify.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = new ApiError('Unknown expectation', { status: 417 });
    const isSecure = transport.isSecureRequest(request);
    const { status, headers, body } = wholeAnswer(refusal, request.url ?? UNKNOWN_URL, isSecure);
    response.writeHead(status, headers).end(body);
  });
}
