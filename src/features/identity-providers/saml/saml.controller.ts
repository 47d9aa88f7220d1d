import { Controller, Get, Header, type OnApplicationBootstrap, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../../platform/actor';
import {
  IdentityProviders,
  providerSignInPath,
  type SamlProvider,
} from '../../../platform/config/identity-providers';
import { NotFound } from '../../../platform/errors/request.errors';
import { CurrentCaller, OpenPage, Public } from '../../../platform/http/decorators';
import { AlsoWithSlash } from '../../../platform/http/methods';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { WebPage } from '../../../platform/pages/web-page.decorator';
import { lead } from '../../auth/auth.module';
import {
  BeginSamlSignInDto,
  CompleteSignInDto,
  ProviderUnknown,
  SamlResponseDto,
  SharedSamlResponseDto,
} from '../identity-providers.api';
import { DESKTOP_HEADERS } from '../desktop-pages';
import { ProviderFlow, CurrentVisit, type Visit } from '../provider-flow.service';
import { ProviderSignIn } from '../provider-sign-in.service';
import { MAX_FORM_BYTES, SamlClient } from './saml-client.service';
import { prepareForResponses } from './saml-response';

/** Sign-in with a SAML provider, from a browser or an app. */
@Controller()
@OpenPage()
export class SamlSignInController {
  constructor(
    private readonly saml: SamlClient,
    private readonly flow: ProviderFlow,
    private readonly signIns: ProviderSignIn,
  ) {}

  /**
   * Begins a sign-in: redirects to a SAML provider, which has the browser post its response.
   * @answersAlike 302 redirect to the provider
   * @answersAlike 400 the pad or key of an app is not 64 hexadecimal digits, or the request has both; or the provider's
   *   responses lack `RelayState`
   * @answersAlike 403 the caller requested claims, and is not an owner
   * @answersAlike 404 no such provider
   */
  @Get('accounts/login/social/saml/:provider')
  @AlsoWithSlash()
  @WebPage(DESKTOP_HEADERS)
  begin(@Parameters() asked: BeginSamlSignInDto, @CurrentVisit() visit: Visit): Promise<string> {
    const provider = this.signIns.provider('saml', asked.provider);
    // Prevents an endless redirect loop if the provider omits `RelayState` and has a session with the person.
    if (asked.unsolicited !== undefined && this.flow.hasJustBegun(provider, visit))
      throw this.saml.refused(provider, 'Responses come without RelayState. Have the provider return it.');
    return this.flow.begin(asked, visit, (isAgain) => {
      const { state, url } = this.saml.begin(provider, isAgain);
      return { secrets: { state, nonce: '', verifier: '' }, url };
    });
  }

  /**
   * Completes a sign-in with a SAML provider after its response was received.
   * @answersAlike 302 the session has started
   * @answersAlike 400 no response was received for an attempt in this browser
   * @answersAlike 403 the person has no account here, or may not use it
   * @answersAlike 404 no such provider
   */
  @Get('complete/saml/:provider/finish')
  @WebPage(DESKTOP_HEADERS)
  finish(
    @Parameters() { provider: name, state = '' }: CompleteSignInDto,
    @CurrentVisit() visit: Visit,
  ): Promise<string> {
    const provider = this.signIns.provider('saml', name);
    return this.flow.complete(provider, state, visit, async () => ({
      claims: await this.saml.take(provider, state),
      idToken: null,
    }));
  }
}

/** Receives the responses of SAML providers from browsers, and publishes the metadata of this server. */
@Controller()
@Public()
export class SamlConsumerController implements OnApplicationBootstrap {
  constructor(
    private readonly saml: SamlClient,
    private readonly signIns: ProviderSignIn,
    private readonly providers: IdentityProviders,
  ) {}

  onApplicationBootstrap(): void {
    if (this.providers.of('saml').length > 0) prepareForResponses();
  }

  /**
   * Receives the response of a SAML provider, and redirects the browser so that it sends the cookie of its attempt.
   * @answersAlike 303 redirect to complete the sign-in
   * @answersAlike 400 the response is invalid or unsolicited
   * @answersAlike 404 no such provider
   */
  @Post('complete/saml/:provider')
  @AlsoWithSlash({ formBytes: MAX_FORM_BYTES })
  @WebPage()
  async receive(
    @Parameters() { provider: name, RelayState: state = '', SAMLResponse: response = '' }: SamlResponseDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.taken(this.signIns.provider('saml', name), { state, response }, caller, reply);
  }

  /**
   * Receives the response of any SAML provider, at the address that Zulip uses for all of them.
   * @answersAlike 303 redirect to complete the sign-in
   * @answersAlike 400 the response is invalid
   * @answersAlike 404 the response was not requested, or too long ago
   */
  @Post('complete/saml')
  @AlsoWithSlash({ formBytes: MAX_FORM_BYTES })
  @WebPage()
  async receiveForAny(
    @Parameters() { RelayState: state = '', SAMLResponse: response = '' }: SharedSamlResponseDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const asked = this.providers.of('saml').find((each) => this.saml.isAsked(each, state));
    if (!asked) throw new ProviderUnknown();
    return this.taken(this.signIns.provider('saml', asked.name), { state, response }, caller, reply);
  }

  /**
   * Describes this server to SAML providers.
   * @answers 404 no SAML provider is configured
   */
  @Get('saml/metadata.xml')
  @Header('content-type', 'application/samlmetadata+xml')
  @Header('cache-control', 'no-store')
  describe(): string {
    const providers = this.providers.of('saml');
    if (providers.length === 0) throw new NotFound();
    return this.saml.metadata(providers);
  }

  private async taken(
    provider: SamlProvider,
    { state, response }: { readonly state: string; readonly response: string },
    caller: Caller,
    reply: FastifyReply,
  ): Promise<string> {
    if (provider.allows_unsolicited && !this.saml.isAsked(provider, state)) {
      // Ignores the content and starts a new sign-in, so that no other site can choose the account.
      return lead(reply, `${providerSignInPath(provider)}?unsolicited=1`, 303);
    }
    await this.signIns.hear(caller, () => this.saml.receive(provider, state, response));
    const query = new URLSearchParams({ state }).toString();
    return lead(reply, `/complete/saml/${provider.name}/finish?${query}`, 303);
  }
}
