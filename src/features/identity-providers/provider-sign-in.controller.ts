import { Controller, Get, Header, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, type Caller, isOwner } from '../../platform/actor';
import { AlsoWithSlash } from '../../platform/http/methods';
import {
  CurrentActor,
  CurrentCaller,
  CurrentOrigin,
  CurrentSession,
  OpenPage,
  Public,
  type RequestOrigin,
} from '../../platform/http/decorators';
import { sendSessionCookie } from '../../platform/http/doors/session-cookie';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { languageOf } from '../../platform/pages/languages';
import { WebPage } from '../../platform/pages/web-page.decorator';
import { renderWebPage } from '../../platform/pages/web-page';
import { lead, nextPage } from '../auth/auth.module';
import {
  BackChannelLogoutDto,
  BeginSignInDto,
  CompleteSignInDto,
  InvalidOtp,
  OnlyOwnersTry,
  openAppPage,
  ProviderFailed,
} from './identity-providers.api';
import { claimsPage } from './claims-page';
import { OpenIdClient } from './openid-client.service';
import { ProviderSignIn } from './provider-sign-in.service';
import { ProviderSignOut } from './provider-sign-out.service';
import { SignInAttempts } from './sign-in-attempts.service';

const OTP = /^[0-9a-f]{64}$/i;

/** Where people sign in with an identity provider, from a browser or the phone app. */
@Controller()
@OpenPage()
export class ProviderSignInController {
  constructor(
    private readonly openId: OpenIdClient,
    private readonly attempts: SignInAttempts,
    private readonly signIns: ProviderSignIn,
  ) {}

  /**
   * Leads to an identity provider, which sends people back to where they are signed in.
   * @answersAlike 302 to the provider
   * @answersAlike 400 the pad of the phone app is not 64 hexadecimal digits
   * @answersAlike 403 the caller wants to see claims, and is no owner
   * @answersAlike 404 there is no such provider
   * @answersAlike 503 the provider does not answer
   */
  @Get('accounts/login/social/oidc/:provider')
  @AlsoWithSlash()
  @WebPage()
  async begin(
    @Parameters() { provider: name, next, mobile_flow_otp: otp, show_claims: trial }: BeginSignInDto,
    @CurrentActor() actor: Actor | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const provider = this.signIns.provider(name);
    if (otp !== undefined && !OTP.test(otp)) throw new InvalidOtp();
    const isTrial = trial !== undefined;
    if (isTrial) requireOwner(actor);
    const { secrets, url } = await this.openId.begin(provider);
    this.attempts.keep(request, reply, {
      ...secrets,
      provider: name,
      next: nextPage(next),
      otp: otp ?? null,
      isTrial,
    });
    return lead(reply, url);
  }

  /**
   * Completes a sign-in at an identity provider.
   * @answersAlike 302 the session has begun
   * @answersAlike 400 the answer of the provider does not belong to an attempt in this browser, or is wrong
   * @answersAlike 403 the person has no account here, or may not use it
   * @answersAlike 404 there is no such provider
   * @answersAlike 503 the provider does not answer
   */
  @Get('complete/oidc/:provider')
  @AlsoWithSlash()
  @WebPage()
  async complete(
    @Parameters() { provider: name, state = '' }: CompleteSignInDto,
    @CurrentCaller() caller: Caller,
    @CurrentOrigin() origin: RequestOrigin,
    @CurrentSession() former: string | null,
    @CurrentActor() actor: Actor | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const provider = this.signIns.provider(name);
    const attempt = this.attempts.take(request, reply, { provider: name, state });
    if (!attempt) throw new ProviderFailed(provider.label);
    const vouched = await this.openId.complete(provider, queryOf(request), attempt);
    const { claims } = vouched;
    if (attempt.isTrial) {
      requireOwner(actor);
      return renderWebPage(claimsPage(provider, claims), languageOf(request));
    }
    if (attempt.otp !== null) {
      const { fullName, url } = await this.signIns.inApp(provider, claims, caller, origin, attempt.otp);
      return renderWebPage(openAppPage(fullName, url), languageOf(request));
    }
    sendSessionCookie(
      request,
      reply,
      await this.signIns.inBrowser(provider, vouched, caller, origin, former),
    );
    return lead(reply, attempt.next);
  }
}

/** Where identity providers themselves call. */
@Controller()
export class ProviderSignOutController {
  constructor(
    private readonly signIns: ProviderSignIn,
    private readonly signOuts: ProviderSignOut,
  ) {}

  /**
   * Ends sessions that began with an identity provider, because they ended there.
   * @answersAlike 400 it sent no token that it signed for this
   * @answersAlike 404 there is no such provider
   * @answersAlike 503 the provider's keys cannot be read
   */
  @Post('complete/oidc/:provider/backchannel-logout')
  @Public()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Header('content-type', 'application/json; charset=utf-8')
  async signOut(
    @Parameters() { provider: name, logout_token: token = '' }: BackChannelLogoutDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (await this.signOuts.signOut(this.signIns.provider(name), token, caller)) return '{}';
    void reply.code(400);
    return '{"error":"invalid_request"}';
  }
}

/** @throws OnlyOwnersTry */
function requireOwner(actor: Actor | null): void {
  if (actor === null || !isOwner(actor)) throw new OnlyOwnersTry();
}

/** As it came: the library reads more than we do, such as the issuer. */
function queryOf({ originalUrl }: FastifyRequest): string {
  const start = originalUrl.indexOf('?');
  return start < 0 ? '' : originalUrl.slice(start + 1);
}
