import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error';
import { asApiError, errorAnswer, type ErrorAnswer } from './error-answer';
import { securityHeaders, type Transport } from './transport-security';

/** Where the parser gave up, the path is unknown: such answers have the shape of the main interface. */
const UNKNOWN_URL = '/api/v1/';

/**
 * Answers what the HTTP parser refuses: broken requests, headers that are too large, requests that never end. A client
 * that fails to speak TLS cannot be answered.
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

/** An answer with all its headers, for when no hook and no reply adds them. */
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

/** Answers what the router refuses before any hook runs: paths that cannot be decoded or are too long. */
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

/** Takes over a refusal that Node would otherwise write itself, without any headers. */
export function registerConnectionErrors(fastify: FastifyInstance, transport: Transport): void {
  fastify.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = new ApiError('Unknown expectation', { status: 417 });
    const isSecure = transport.isSecureRequest(request);
    const { status, headers, body } = wholeAnswer(refusal, request.url ?? UNKNOWN_URL, isSecure);
    response.writeHead(status, headers).end(body);
  });
}
