import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Caller } from '../../../platform/actor';
import {
  CurrentActor,
  CurrentCaller,
  CurrentOrigin,
  CurrentSession,
  OpenPage,
  type RequestOrigin,
  SessionPage,
  WithoutSecondFactor,
} from '../../../platform/http/decorators';
import { AlsoWithSlash } from '../../../platform/http/methods';
import { SIGN_IN_PATH } from '../../../platform/errors/request.errors';
import {
  clearSessionCookie,
  cookieName,
  deviceCookieName,
  readCookies,
  readDeviceCookie,
  sendCookie,
  sendSessionCookie,
} from '../../../platform/http/doors/session-cookie';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { languageOf } from '../../../platform/pages/languages';
import { WebPage } from '../../../platform/pages/web-page.decorator';
import { renderWebPage, SAYS_ITS_SITE } from '../../../platform/pages/web-page';
import { CsrfTokens } from '../../../platform/secrets/secret-links';
import { LoginFailed, SecondFactorRequired } from '../../users/users.module';
import { BrowserSessionsService } from './browser-sessions.service';
import { FactorSetUpService } from './factor-set-up.service';
import { lead, nextPage } from './next-page';
import { PASSKEY_HEADERS, passkeyIn } from './passkey-form';
import { NextPageDto, SessionFormDto, SignInCodeDto, SignInDto } from './sign-in.api';
import {
  codePage,
  OVER,
  refusalOf,
  sessionCodePage,
  SET_UP_NOW,
  setUpPage,
  signedOutPage,
  signInPage,
} from './sign-in-pages';

/** Signing in and out with a browser. Clients write the paths with a trailing slash. */
@Controller()
export class SignInController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly setUps: FactorSetUpService,
    private readonly tokens: CsrfTokens,
  ) {}

  /**
   * Shows the sign-in form; in a session that lacks the required second factor, the form for that. Other callers with a
   * session are redirected.
   * @answersAlike 302 the caller is signed in
   */
  @Get('login')
  @AlsoWithSlash()
  @OpenPage()
  @WithoutSecondFactor()
  @WebPage(PASSKEY_HEADERS)
  async show(
    @CurrentActor() actor: Actor | null,
    @CurrentSession() sessionId: string | null,
    @Parameters() { next: wanted }: NextPageDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { lacksFactor, isRecent } = request;
    const language = languageOf(request);
    const next = nextPage(wanted);
    const ways = this.sessions.ways();
    if (actor === null || sessionId === null) {
      return renderWebPage(signInPage({ next, email: '', ways }), language);
    }
    if (!lacksFactor) return lead(reply, next);
    const form = { next, csrfToken: this.tokens.tokenFor(sessionId) };
    if (await this.setUps.hasOne(actor)) return renderWebPage(sessionCodePage(form), language);
    if (isRecent) return renderWebPage(setUpPage(form, this.sessions.hasPasskeys), language);
    return renderWebPage(signInPage({ next, email: '', refusal: SET_UP_NOW, ways }), language);
  }

  /**
   * Signs in: starts a session, whose cookie the browser stores, and redirects.
   * @answersAlike 302 the caller is signed in
   * @answersAlike 401 the form again: the address or the password is wrong
   * @answersAlike 403 the form again: the account may not sign in; or another site sent it
   * @answersAlike 429 the form again: too many failed attempts
   */
  @Post('login')
  @AlsoWithSlash()
  @OpenPage()
  @WithoutSecondFactor()
  @WebPage(PASSKEY_HEADERS)
  async signIn(
    @Parameters() { username: email = '', password = '', next }: SignInDto,
    @CurrentCaller() caller: Caller,
    @CurrentOrigin() origin: RequestOrigin,
    @CurrentSession() former: string | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    try {
      const device = readDeviceCookie(request);
      const session = await this.sessions.signIn({ email, password, caller, device }, origin, former);
      sendSessionCookie(request, reply, session);
      return lead(reply, nextPage(next));
    } catch (error) {
      if (error instanceof SecondFactorRequired) {
        keepChallenge(request, reply, error.challenge);
        return renderWebPage(codePage(nextPage(next)), languageOf(request));
      }
      const { status, refusal, headers } = refusalOf(error);
      void reply.code(status).headers(headers);
      const page = signInPage({ next: nextPage(next), email, refusal, ways: this.sessions.ways() });
      return renderWebPage(page, languageOf(request));
    }
  }

  /**
   * Signs in with a second-factor code or a passkey, in the browser that has sent the password.
   * @answersAlike 302 the caller is signed in
   * @answersAlike 401 the form again: the code or the passkey is wrong; or the form for the password, if that was sent
   * too long ago
   * @answersAlike 403 the form again: the account may not sign in; or another site sent it
   * @answersAlike 429 the form again: too many wrong codes
   */
  @Post('login/code')
  @OpenPage()
  @WithoutSecondFactor()
  @WebPage(PASSKEY_HEADERS)
  async signInByCode(
    @Parameters() sent: SignInCodeDto,
    @CurrentCaller() caller: Caller,
    @CurrentOrigin() origin: RequestOrigin,
    @CurrentSession() former: string | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { code = '', next, remember } = sent;
    const challenge = readCookies(request)[challengeCookie(request)] ?? '';
    try {
      const passkey = passkeyIn(request, sent);
      const login = { challenge, code, passkey, caller, isRemembered: remember !== undefined };
      const session = await this.sessions.signInByCode(login, origin, former);
      keepChallenge(request, reply, null);
      sendSessionCookie(request, reply, session);
      if (session.device) {
        const { token: value, seconds } = session.device;
        sendCookie(request, reply, { name: deviceCookieName(request), value, seconds });
      }
      return lead(reply, nextPage(next));
    } catch (error) {
      const { status, refusal, headers } = refusalOf(error);
      void reply.code(status).headers(headers);
      const isOver = error instanceof LoginFailed;
      return renderWebPage(
        isOver
          ? signInPage({ next: nextPage(next), email: '', refusal: OVER, ways: this.sessions.ways() })
          : codePage(nextPage(next), refusal),
        languageOf(request),
      );
    }
  }

  /**
   * Signs out of this browser.
   * @answersAlike 302 the session has ended
   * @answersAlike 403 another site sent it
   */
  @Post('accounts/logout')
  @AlsoWithSlash()
  @SessionPage()
  @WithoutSecondFactor()
  @WebPage(SAYS_ITS_SITE)
  async signOut(
    @Parameters() _form: SessionFormDto,
    @CurrentActor() actor: Actor,
    @CurrentSession() sessionId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const exit = await this.sessions.signOut(actor, sessionId);
    clearSessionCookie(request, reply);
    return exit ? renderWebPage(signedOutPage(exit), languageOf(request)) : lead(reply, SIGN_IN_PATH);
  }
}

function challengeCookie(request: FastifyRequest): string {
  return cookieName(request, '_factor');
}

/** The result of the password check stays in the browser for five minutes; null deletes it. */
function keepChallenge(request: FastifyRequest, reply: FastifyReply, challenge: string | null): void {
  const seconds = challenge === null ? 0 : 300;
  sendCookie(request, reply, { name: challengeCookie(request), value: challenge ?? '', seconds });
}
