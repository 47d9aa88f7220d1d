import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headersAt } from '../api-error.filter';
import { asApiError, errorAnswer } from '../error-answer';
import { TUS_HEADERS } from './tus-headers';

/**
 * Formats errors of the tus protocol: those of the interface, with the message repeated under the key that clients of
 * this protocol show. These clients take status 400 for a temporary failure and send the file again, so it is never
 * used.
 */
@Catch()
export class TusErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const error = asApiError(thrown);
    if (error.status >= 500 && error !== thrown) request.log.error({ err: thrown }, 'request failed');
    if (reply.sent) return;
    const { status, headers, body } = errorAnswer(error, request.url);
    const message = { ...(JSON.parse(body) as object), message: error.message };
    void reply
      .code(status === 400 ? 422 : status)
      .headers({ ...headersAt(request.door, headers), ...TUS_HEADERS })
      .send(`${JSON.stringify(message)}\n`);
  }
}
