import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Door } from './doors/door';
import { asApiError, errorAnswer, type ErrorAnswer } from './error-answer';

/**
 * The one place where errors become responses: errors of services, the framework and parsers, unknown paths and wrong
 * methods. Unexpected errors are logged with the request's ID.
 */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(thrown, http.getResponse<FastifyReply>());
  }
}

/** Sends an error response, unless something was sent already. */
export function sendError(thrown: unknown, reply: FastifyReply): void {
  const { request } = reply;
  const error = asApiError(thrown);
  if (error.status >= 500 && error !== thrown) {
    if (hasLeft(request)) request.log.info('The client disconnected before sending the whole request.');
    else request.log.error({ err: thrown }, 'request failed');
  }
  if (reply.sent) return;
  const { status, headers, body } = errorAnswer(error, request.url);
  void reply.code(status).headers(headersAt(request.door, headers)).send(body);
}

/** Browsers with a session must get no other challenge: they would show their own password prompt. */
export function headersAt(door: Door | null, headers: ErrorAnswer['headers']): ErrorAnswer['headers'] {
  if (door === null || headers['www-authenticate'] === undefined) return headers;
  return { ...headers, 'www-authenticate': 'Session realm="zulip"' };
}

/** Whether the connection ended in the middle of the request: nothing failed, and no client is left to answer. */
function hasLeft({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}
