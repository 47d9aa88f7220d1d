import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error';
import { asApiError, errorAnswer } from './error-answer';
import { securityHeaders } from './security-headers';

/** Where the parser gave up, the path is unknown: such answers have the shape of the main interface. */
const UNKNOWN_URL = '/api/v1/';

/** Answers what the HTTP parser refuses: broken requests, headers too large, requests that never end. */
export function answerParserError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = errorAnswer(parserProblem(error.code), UNKNOWN_URL);
  const lines = Object.entries({
    ...securityHeaders(UNKNOWN_URL, randomUUID()),
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`;
  socket.end(head + body, () => socket.destroy());
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

/** Answers what the router refuses before a request exists: paths that cannot be decoded or are too long. */
export function answerRouterError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = errorAnswer(routerProblem(error), request.url);
  void reply
    .code(status)
    .headers({ ...securityHeaders(request.url, request.id), ...headers })
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

/** Takes over the two refusals that Node would write by itself, without any headers. */
export function registerConnectionErrors(fastify: FastifyInstance): void {
  fastify.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const url = request.url ?? UNKNOWN_URL;
    const { status, headers, body } = errorAnswer(new ApiError('Unknown expectation', { status: 417 }), url);
    response.writeHead(status, { ...securityHeaders(url, randomUUID()), ...headers }).end(body);
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    const hostMissing = request.raw.httpVersion === '1.1' && request.headers.host === undefined;
    done(hostMissing ? new ApiError('Missing Host header') : undefined);
  });
}
