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
import { copyPage, finishPage, isDesktopApp } from './desktop-pages';
import {
  appFlowOf,
  type BeginSignInDto,
  TrialNeedsOwner,
  openAppPage,
  ProviderFailed,
} from './identity-providers.api';
import type { AttemptSecrets } from './openid-client.service';
import { ProviderSignIn, type VerifiedSignIn } from './provider-sign-in.service';
import { type SignInAttempt, SignInAttempts } from './sign-in-attempts.service';

/** A browser request with its reply and execution context. */
export interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly context: ExecutionContext;
}

/** Injects the visit into the handler of a page. */
export const CurrentVisit = createParamDecorator((_: unknown, context: ExecutionContext): Visit => {
  const http = context.switchToHttp();
  return { request: http.getRequest<FastifyRequest>(), reply: http.getResponse<FastifyReply>(), context };
});

/** A provider with an active session sends the browser back within less time, possibly several times. */
const MOMENT_SECONDS = 30;

/** The browser's steps before and after the provider, for every protocol. */
@Injectable()
export class ProviderFlow {
  constructor(
    private readonly attempts: SignInAttempts,
    private readonly signIns: ProviderSignIn,
  ) {}

  /**
   * Redirects to the provider, and stores the attempt in a cookie. The desktop app gets a page that opens the same URL
   * in a browser.
   * @param ask returns the URL at the provider; people with a session here must authenticate there again
   * @throws BothOtps, InvalidOtp, TrialNeedsOwner
   */
  async begin(
    asked: BeginSignInDto,
    { request, reply }: Visit,
    ask: (isAgain: boolean) => BegunAttempt | Promise<BegunAttempt>,
  ): Promise<string> {
    const { provider, next, show_claims: trial } = asked;
    const flow = appFlowOf(asked);
    if (flow === null && isDesktopApp(request)) return renderWebPage(finishPage, languageOf(request));
    const isTrial = trial !== undefined;
    if (isTrial) requireOwner(request.actor);
    const { secrets, url } = await ask(flow === null && !isTrial && request.sessionId !== null);
    const attempt = { ...secrets, provider, next: nextPage(next), flow, isTrial };
    this.attempts.keep(request, reply, attempt);
    return lead(reply, url);
  }

  /** Whether this browser began an attempt with the provider a moment ago. */
  hasJustBegun({ name }: IdentityProvider, { request }: Visit): boolean {
    return this.attempts.hasRecent(request, name, MOMENT_SECONDS);
  }

  /**
   * Completes this browser's attempt after the provider's response: with a session, an app's key or token, or a page
   * with the claims.
   * @param hear reads the response
   * @throws ProviderFailed, TrialNeedsOwner, and the errors of {@link ProviderSignIn}
   */
  async complete(
    provider: IdentityProvider,
    state: string,
    { request, reply, context }: Visit,
    hear: (attempt: SignInAttempt) => Promise<VerifiedSignIn>,
  ): Promise<string> {
    const [caller, origin] = [callerOf(request, accessPolicy(context)), originOf(request)];
    const { attempt, vouched } = await this.signIns.hear(caller, async () => {
      const begun = this.attempts.take(request, reply, { provider: provider.name, state });
      if (!begun) throw new ProviderFailed(provider.label);
      return { attempt: begun, vouched: await hear(begun) };
    });
    if (attempt.isTrial) {
      requireOwner(request.actor);
      return renderWebPage(claimsPage(provider, vouched.claims), languageOf(request));
    }
    const { flow, next } = attempt;
    if (flow?.app === 'phone') {
      const { claims } = vouched;
      const { fullName, url } = await this.signIns.inApp(provider, claims, caller, origin, flow.otp);
      return renderWebPage(openAppPage(fullName, url), languageOf(request));
    }
    if (flow?.app === 'desktop') {
      const data = await this.signIns.forDesktop(provider, vouched, caller, { otp: flow.otp, next });
      return renderWebPage(copyPage(data), languageOf(request));
    }
    const session = await this.signIns.inBrowser(provider, vouched, caller, origin, request.sessionId);
    sendSessionCookie(request, reply, session);
    return lead(reply, next);
  }
}

/** A new attempt, and the URL at the provider. */
interface BegunAttempt {
  readonly secrets: AttemptSecrets;
  readonly url: string;
}

/** @throws TrialNeedsOwner */
function requireOwner(actor: Actor | null): void {
  if (actor === null || !isOwner(actor)) throw new TrialNeedsOwner();
}
