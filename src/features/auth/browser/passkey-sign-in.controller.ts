import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../platform/actor';
import {
  CurrentCaller,
  CurrentOrigin,
  CurrentSession,
  OpenPage,
  type RequestOrigin,
  WithoutSecondFactor,
} from '../../../platform/http/decorators';
import { sendSessionCookie } from '../../../platform/http/doors/session-cookie';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { languageOf } from '../../../platform/pages/languages';
import { WebPage } from '../../../platform/pages/web-page.decorator';
import { renderWebPage } from '../../../platform/pages/web-page';
import { PasskeyChallenges, type UseOptions, WrongPasskey } from '../../users/users.module';
import { BrowserSessionsService } from './browser-sessions.service';
import { lead, nextPage } from './next-page';
import { keepChallenge, PASSKEY_HEADERS, passkeyIn } from './passkey-form';
import { PasskeyDto } from './sign-in.api';
import { refusalOf, signInPage } from './sign-in-pages';

/** Signing in to a browser with only a passkey. */
@Controller('login/passkey')
@OpenPage()
@WithoutSecondFactor()
export class PasskeySignInController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly challenges: PasskeyChallenges,
  ) {}

  /**
   * Returns the options for using a passkey to the script of the sign-in page, without naming anyone's. The response is
   * valid only in this browser, once, for five minutes.
   * @answers 409 browsers do not support passkeys for the URL of this server
   */
  @Post('challenge')
  @HttpCode(200)
  challenge(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): UseOptions {
    const { state, options } = this.challenges.toUse();
    keepChallenge(request, reply, { state, timeout: options.timeout });
    return options;
  }

  /**
   * Signs in with a passkey's response, and redirects.
   * @answersAlike 302 the caller is signed in
   * @answersAlike 401 the sign-in form: the passkey is not accepted
   * @answersAlike 403 the sign-in form: the account may not sign in; or another site sent it
   */
  @Post()
  @WebPage(PASSKEY_HEADERS)
  async signIn(
    @Parameters() sent: PasskeyDto,
    @CurrentCaller() caller: Caller,
    @CurrentOrigin() origin: RequestOrigin,
    @CurrentSession() former: string | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const next = nextPage(sent.next);
    try {
      const passkey = passkeyIn(request, sent);
      if (!passkey) throw new WrongPasskey();
      const session = await this.sessions.signInByPasskey({ passkey, caller }, origin, former);
      keepChallenge(request, reply, null);
      sendSessionCookie(request, reply, session);
      return lead(reply, next);
    } catch (error) {
      const { status, refusal, headers } = refusalOf(error);
      void reply.code(status).headers(headers);
      const page = signInPage({ next, email: '', refusal, ways: this.sessions.ways() });
      return renderWebPage(page, languageOf(request));
    }
  }
}
