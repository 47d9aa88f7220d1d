import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../../platform/actor';
import {
  CurrentActor,
  CurrentSession,
  SessionPage,
  WithoutSecondFactor,
} from '../../../platform/http/decorators';
import { SIGN_IN_PATH } from '../../../platform/errors/request.errors';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { languageOf } from '../../../platform/pages/languages';
import { WebPage } from '../../../platform/pages/web-page.decorator';
import { renderWebPage, SAYS_ITS_SITE } from '../../../platform/pages/web-page';
import { CsrfTokens } from '../../../platform/secrets/secret-links';
import { FactorSetUpService, maySetUp } from './factor-set-up.service';
import { lead, nextPage } from './next-page';
import { PASSKEY_HEADERS, passkeyIn } from './passkey-form';
import { SessionCodeDto, SetUpCodeDto, SetUpFactorDto } from './sign-in.api';
import {
  newFactorPage,
  recoveryCodesPage,
  refusalOf,
  sessionCodePage,
  type SetUpForm,
} from './sign-in-pages';

/** The forms of the sign-in page for people whose session lacks the second factor that the organization requires. */
@Controller('login/second-factor')
@SessionPage()
@WithoutSecondFactor()
export class FactorSetUpController {
  constructor(
    private readonly setUps: FactorSetUpService,
    private readonly tokens: CsrfTokens,
  ) {}

  /**
   * Shows the details for an authenticator app.
   * @answersAlike 302 the session has its second factor, or is too old to set one up
   */
  @Post()
  @WebPage(SAYS_ITS_SITE)
  async begin(
    @Parameters() { next }: SetUpFactorDto,
    @CurrentActor() actor: Actor,
    @CurrentSession() sessionId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (!maySetUp(request)) return lead(reply, SIGN_IN_PATH);
    const page = newFactorPage(this.formOf(next, sessionId), await this.setUps.begin(actor));
    return renderWebPage(page, languageOf(request));
  }

  /**
   * Verifies the first code of the app, ends the other sessions, and shows the recovery codes.
   * @answersAlike 302 the session has its second factor, or is too old to set one up
   * @answersAlike 401 the form again: the code is wrong
   * @answersAlike 429 the form again: too many wrong codes
   */
  @Post('confirm')
  @WebPage(SAYS_ITS_SITE)
  async confirm(
    @Parameters() { code = '', next }: SetUpCodeDto,
    @CurrentActor() actor: Actor,
    @CurrentSession() sessionId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (!maySetUp(request)) return lead(reply, SIGN_IN_PATH);
    try {
      const codes = await this.setUps.confirm(actor, code, sessionId);
      return renderWebPage(recoveryCodesPage(nextPage(next), codes), languageOf(request));
    } catch (error) {
      const { status, refusal, headers } = refusalOf(error);
      void reply.code(status).headers(headers);
      const form = this.formOf(next, sessionId);
      const page = newFactorPage(form, await this.setUps.begun(actor), refusal);
      return renderWebPage(page, languageOf(request));
    }
  }

  /**
   * Verifies a code of the person's factor, or a passkey, and redirects.
   * @answersAlike 302 the session has its second factor
   * @answersAlike 401 the form again: the code is wrong
   * @answersAlike 429 the form again: too many wrong codes
   */
  @Post('code')
  @WebPage(PASSKEY_HEADERS)
  async show(
    @Parameters() sent: SessionCodeDto,
    @CurrentActor() actor: Actor,
    @CurrentSession() sessionId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { code = '', next } = sent;
    if (!request.lacksFactor) return lead(reply, nextPage(next));
    try {
      await this.setUps.show(actor, { code, passkey: passkeyIn(request, sent) }, sessionId);
      return lead(reply, nextPage(next));
    } catch (error) {
      const { status, refusal, headers } = refusalOf(error);
      void reply.code(status).headers(headers);
      const page = sessionCodePage(this.formOf(next, sessionId), refusal);
      return renderWebPage(page, languageOf(request));
    }
  }

  private formOf(next: string | undefined, sessionId: string): SetUpForm {
    return { next: nextPage(next), csrfToken: this.tokens.tokenFor(sessionId) };
  }
}
