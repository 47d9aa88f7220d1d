import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asApiError } from '../http/error-answer';
import { paragraphs } from './forms';
import { PAGE_HEADERS, type PageContent, PageRefusal, renderWebPage } from './web-page';

/** Renders errors as HTML pages instead of JSON. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const error = asApiError(thrown);
    if (error.status >= 500 && error !== thrown) {
      http.getRequest<FastifyRequest>().log.error({ err: thrown }, 'request failed');
    }
    const reply = http.getResponse<FastifyReply>();
    if (reply.sent) return;
    const page = error instanceof PageRefusal ? error.page : pageAbout(error.status, error.message);
    void reply
      .code(error.status)
      .headers({ ...error.headers, ...PAGE_HEADERS })
      .send(renderWebPage(page));
  }
}

function pageAbout(status: number, message: string): PageContent {
  if (status === 429) {
    return {
      title: 'Too many attempts',
      body: paragraphs('Too many attempts from your network. Try again in a few minutes.'),
    };
  }
  if (status >= 500) {
    return {
      title: 'Something went wrong',
      body: paragraphs('The server couldn’t complete your request. Try again in a moment.'),
    };
  }
  return { title: 'Something went wrong', body: paragraphs(message) };
}
