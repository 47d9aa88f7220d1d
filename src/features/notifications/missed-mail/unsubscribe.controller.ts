import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { UnsubscribeTokenDto } from './unsubscribe.api';
import { UNSUBSCRIBE_PATH, Unsubscribing } from './unsubscribing.service';
import * as de from './words.de';
import * as en from './words';
import { Public } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { formHtml, paragraphs } from '../../../platform/pages/forms';
import { inEach, languageOf } from '../../../platform/pages/languages';
import { KEEPS_ITS_ADDRESS, renderWebPage } from '../../../platform/pages/web-page';
import { WebPage } from '../../../platform/pages/web-page.decorator';

const wordsIn = inEach<typeof en>({ en, de });

/**
 * The target of links in mails about missed messages. The secret in the URL is sufficient: mail clients have no
 * session.
 */
@Controller(UNSUBSCRIBE_PATH)
@Public()
export class UnsubscribeController {
  constructor(private readonly unsubscribing: Unsubscribing) {}

  /**
   * Asks whether to unsubscribe. Changes nothing, because mail scanners follow links.
   * @answersAlike 404 the link is incomplete, or the account has a different address now
   */
  @Get(':unsubscribe_token')
  @WebPage(KEEPS_ITS_ADDRESS)
  async ask(
    @Parameters() { unsubscribe_token: token }: UnsubscribeTokenDto,
    @Req() request: FastifyRequest,
  ): Promise<string> {
    const { deliveryEmail } = await this.unsubscribing.accountFor(token);
    return renderWebPage((language) => {
      const { title, about, action } = wordsIn(language).unsubscribing;
      return { title, body: formHtml({ introduction: about(deliveryEmail), fields: [], action }) };
    }, languageOf(request));
  }

  /**
   * Disables mail about missed messages; mail clients do this with one click (RFC 8058).
   * @answersAlike 404 the link is incomplete, or the account has a different address now
   */
  @Post(':unsubscribe_token')
  @HttpCode(200)
  @WebPage(KEEPS_ITS_ADDRESS)
  async unsubscribe(
    @Parameters() { unsubscribe_token: token }: UnsubscribeTokenDto,
    @Req() request: FastifyRequest,
  ): Promise<string> {
    await this.unsubscribing.unsubscribe(token);
    return renderWebPage((language) => {
      const { done, doneAbout } = wordsIn(language).unsubscribing;
      return { title: done, body: paragraphs(doneAbout) };
    }, languageOf(request));
  }
}
