import { Controller, Get, Header, HttpCode, Post, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../platform/actor';
import { AlsoWithSlash } from '../../platform/http/methods';
import { CurrentCaller, OpenPage, Public } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { WebPage } from '../../platform/pages/web-page.decorator';
import { BackChannelLogoutDto, BeginSignInDto, CompleteSignInDto } from './identity-providers.api';
import { DESKTOP_HEADERS } from './desktop-pages';
import { OpenIdClient } from './openid-client.service';
import { ProviderFlow, CurrentVisit, type Visit } from './provider-flow.service';
import { ProviderSignIn } from './provider-sign-in.service';
import { ProviderSignOut } from './provider-sign-out.service';

/** Sign-in with an OpenID Connect provider, from a browser or an app. */
@Controller()
@OpenPage()
export class ProviderSignInController {
  constructor(
    private readonly openId: OpenIdClient,
    private readonly flow: ProviderFlow,
    private readonly signIns: ProviderSignIn,
  ) {}

  /**
   * Begins a sign-in: redirects to an identity provider, which redirects back to complete it.
   * The desktop app gets a page that opens the same URL in a browser.
   * @answersAlike 302 redirect to the provider
   * @answersAlike 400 the pad or key of an app is not 64 hexadecimal digits, or the request has both
   * @answersAlike 403 the caller requested claims, and is not an owner
   * @answersAlike 404 no such provider
   * @answersAlike 503 the provider does not respond
   */
  @Get('accounts/login/social/oidc/:provider')
  @AlsoWithSlash()
  @WebPage(DESKTOP_HEADERS)
  begin(@Parameters() asked: BeginSignInDto, @CurrentVisit() visit: Visit): Promise<string> {
    const provider = this.signIns.provider('oidc', asked.provider);
    return this.flow.begin(asked, visit, (isAgain) => this.openId.begin(provider, isAgain));
  }

  /**
   * Completes a sign-in with an identity provider.
   * @answersAlike 302 the session has started
   * @answersAlike 400 the provider's response is invalid, or matches no attempt in this browser
   * @answersAlike 403 the person has no account here, or may not use it
   * @answersAlike 404 no such provider
   * @answersAlike 503 the provider does not respond
   */
  @Get('complete/oidc/:provider')
  @AlsoWithSlash()
  @WebPage(DESKTOP_HEADERS)
  complete(
    @Parameters() { provider: name, state = '' }: CompleteSignInDto,
    @CurrentVisit() visit: Visit,
  ): Promise<string> {
    const provider = this.signIns.provider('oidc', name);
    return this.flow.complete(provider, state, visit, (attempt) =>
      this.openId.complete(provider, queryOf(visit.request), attempt),
    );
  }
}

/** Endpoints that identity providers call themselves. */
@Controller()
export class ProviderSignOutController {
  constructor(
    private readonly signIns: ProviderSignIn,
    private readonly signOuts: ProviderSignOut,
  ) {}

  /**
   * Ends sessions that were started with an identity provider, because they ended there.
   * @answersAlike 400 the logout token is missing, invalid or already used
   * @answersAlike 404 no such provider
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
    if (await this.signOuts.signOut(this.signIns.provider('oidc', name), token, caller)) return '{}';
    void reply.code(400);
    return '{"error":"invalid_request"}';
  }
}

/** The unparsed query; the library reads more parameters than we do, such as the issuer. */
function queryOf({ originalUrl }: FastifyRequest): string {
  const start = originalUrl.indexOf('?');
  return start < 0 ? '' : originalUrl.slice(start + 1);
}
