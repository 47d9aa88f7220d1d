import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, isOwner } from '../../platform/actor';
import type { IdentityProvider } from '../../platform/config/identity-providers';
import { accessPolicy } from '../../platform/http/access.guard';
import { callerOf, originOf } from '../../platform/http/decorators';
import { sendSessionCookie } from '../../platform/http/doors/session-cookie';
import { languageOf } from '../../platform/pages/languages';
import { renderWebPage } from '../../platform/pages/web-page';
import { lead, nextPage } from '../auth/auth.module';
import { claimsPage } from './claims-page';
import {
  type BeginSignInDto,
  InvalidOtp,
  OnlyOwnersTry,
  openAppPage,
  ProviderFailed,
} from './identity-providers.api';
import type { AttemptSecrets } from './openid-client.service';
import { ProviderSignIn, type Vouched } from './provider-sign-in.service';
import { type SignInAttempt, SignInAttempts } from './sign-in-attempts.service';

const OTP = /^[0-9a-f]{64}$/i;

/** A request of a browser, and who sends it. */
export interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly context: ExecutionContext;
}

/** The request at a page, as an argument of its handler. */
export const TheVisit = createParamDecorator((_: unknown, context: ExecutionContext): Visit => {
  const http = context.switchToHttp();
  return { request: http.getRequest<FastifyRequest>(), reply: http.getResponse<FastifyReply>(), context };
});

/** What browsers do before and after they are at a provider, whatever its protocol. */
@Injectable()
export class ProviderFlow {
  constructor(
    private readonly attempts: SignInAttempts,
    private readonly signIns: ProviderSignIn,
  ) {}

  /**
   * Leads to the provider, and has the browser keep the attempt.
   * @param ask for the address to go to
   * @throws InvalidOtp, OnlyOwnersTry
   */
  async begin(
    { provider, next, mobile_flow_otp: otp, show_claims: trial }: BeginSignInDto,
    { request, reply }: Visit,
    ask: () => BegunAttempt | Promise<BegunAttempt>,
  ): Promise<string> {
    if (otp !== undefined && !OTP.test(otp)) throw new InvalidOtp();
    const isTrial = trial !== undefined;
    if (isTrial) requireOwner(request.actor);
    const { secrets, url } = await ask();
    const attempt = { ...secrets, provider, next: nextPage(next), otp: otp ?? null, isTrial };
    this.attempts.keep(request, reply, attempt);
    return lead(reply, url);
  }

  /**
   * Ends the attempt of this browser to which the provider has answered: with a session, the key for the app, or what the
   * provider says.
   * @param hear what it says
   * @throws ProviderFailed, OnlyOwnersTry, and what {@link ProviderSignIn} throws
   */
  async complete(
    provider: IdentityProvider,
    state: string,
    { request, reply, context }: Visit,
    hear: (attempt: SignInAttempt) => Promise<Vouched>,
  ): Promise<string> {
    const attempt = this.attempts.take(request, reply, { provider: provider.name, state });
    if (!attempt) throw new ProviderFailed(provider.label);
    const vouched = await hear(attempt);
    const [caller, origin] = [callerOf(request, accessPolicy(context)), originOf(request)];
    if (attempt.isTrial) {
      requireOwner(request.actor);
      return renderWebPage(claimsPage(provider, vouched.claims), languageOf(request));
    }
    if (attempt.otp !== null) {
      const { fullName, url } = await this.signIns.inApp(
        provider,
        vouched.claims,
        caller,
        origin,
        attempt.otp,
      );
      return renderWebPage(openAppPage(fullName, url), languageOf(request));
    }
    const session = await this.signIns.inBrowser(provider, vouched, caller, origin, request.sessionId);
    sendSessionCookie(request, reply, session);
    return lead(reply, attempt.next);
  }
}

/** An attempt that has begun, and the address at the provider. */
interface BegunAttempt {
  readonly secrets: AttemptSecrets;
  readonly url: string;
}

/** @throws OnlyOwnersTry */
function requireOwner(actor: Actor | null): void {
  if (actor === null || !isOwner(actor)) throw new OnlyOwnersTry();
}
