import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../platform/actor';
import {
  CurrentCaller,
  CurrentOrigin,
  CurrentSession,
  OpenPage,
  type RequestOrigin,
  WithoutSecondFactor,
} from '../../platform/http/decorators';
import { sendSessionCookie } from '../../platform/http/doors/session-cookie';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { WebPage } from '../../platform/pages/web-page.decorator';
import { lead } from '../auth/auth.module';
import { clearToken, DesktopSignInOver, hasToken } from './desktop-pages';
import { DesktopSignIn } from './desktop-sign-in.service';
import { TakeOverDto } from './identity-providers.api';

const TOKEN = /^[A-Za-z0-9]{32}$/;

/** Lets the desktop app take over a sign-in from a browser. */
@Controller()
@OpenPage()
export class DesktopSignInController {
  constructor(private readonly signIns: DesktopSignIn) {}

  /**
   * Starts a session in the desktop app for a sign-in that was completed in a browser within the last minute. Requires
   * the token in a cookie, which the page in the app sets.
   * @answersAlike 302 the session has begun
   * @answersAlike 400 the token is malformed, unknown, used or too old, or the account may no longer sign in
   */
  @Get('accounts/login/subdomain/:token')
  @WithoutSecondFactor()
  @WebPage()
  async takeOver(
    @Parameters() { token }: TakeOverDto,
    @CurrentCaller() caller: Caller,
    @CurrentOrigin() origin: RequestOrigin,
    @CurrentSession() former: string | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (!TOKEN.test(token)) {
      void reply.code(400);
      return '';
    }
    // Without this, the author of a link could sign other people in to an account of the author's choice.
    if (!hasToken(request, token)) throw new DesktopSignInOver();
    clearToken(request, reply);
    const { session, next } = await this.signIns.takeOver(token, caller, origin, former);
    sendSessionCookie(request, reply, session);
    return lead(reply, next);
  }
}
