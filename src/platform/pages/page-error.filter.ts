import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../errors/api-error';
import { asApiError } from '../http/error-answer';
import { paragraphs } from './forms';
import { languageOf } from './languages';
import { pageWords, refusalText } from './page-words';
import { markup, type Page, PAGE_HEADERS, PageRefusal, renderWebPage } from './web-page';

/** Renders errors as HTML pages instead of JSON. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const error = asApiError(thrown);
    const request = http.getRequest<FastifyRequest>();
    if (error.status >= 500 && error !== thrown) {
      request.log.error({ err: thrown }, 'request failed');
    }
    const reply = http.getResponse<FastifyReply>();
    if (reply.sent) return;
    const page = error instanceof PageRefusal ? error.page : pageAbout(error);
    void reply
      .code(error.status)
      .headers({ ...error.headers, ...PAGE_HEADERS })
      .send(renderWebPage(page, languageOf(request)));
  }
}

function pageAbout(error: ApiError): Page {
  return (language) => {
    const { tooMany, failed } = pageWords(language);
    if (error.status === 429) return { title: tooMany.title, body: paragraphs(tooMany.about) };
    if (error.status >= 500) return { title: failed.title, body: paragraphs(failed.about) };
    return { title: failed.title, body: markup`<p>${refusalText(error, language)}</p>` };
  };
}
