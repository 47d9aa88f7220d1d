import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../../platform/clock';
import { cookieName, readCookies, sendCookie } from '../../platform/http/doors/session-cookie';
import { Sealer } from '../../platform/secrets/server-secret';
import type { AppFlow } from './identity-providers.api';
import type { AttemptSecrets } from './openid-client.service';

const PURPOSE = 'sign-in-attempts';

const LIFETIME_SECONDS = 600;

/** Attempts that a browser may have at the same time, in several tabs; with a further one all others end. */
const MAX_ATTEMPTS = 5;

/** A sign-in at a provider in progress. */
export interface SignInAttempt extends AttemptSecrets {
  readonly provider: string;
  /** The page to go to afterwards: a path of this server. */
  readonly next: string;
  /** The app that gets what comes of it; null in a browser. */
  readonly flow: AppFlow | null;
  /** Whether an owner only wants to see what the provider says. */
  readonly isTrial: boolean;
  /** UNIX seconds. */
  readonly startedAt: number;
}

/**
 * Attempts to sign in with a provider, in a sealed cookie each: strangers leave nothing in the database, any node completes
 * what another began, and an answer of the provider counts only in the browser that asked for it.
 */
@Injectable()
export class SignInAttempts {
  constructor(
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /** Has the browser keep an attempt for ten minutes. */
  keep(request: FastifyRequest, reply: FastifyReply, attempt: Omit<SignInAttempt, 'startedAt'>): void {
    const others = Object.keys(readCookies(request)).filter((name) => name.startsWith(prefix(request)));
    if (others.length >= MAX_ATTEMPTS) {
      for (const name of others) sendCookie(request, reply, { name, value: '', seconds: 0 });
    }
    const value = this.sealer.seal(
      PURPOSE,
      JSON.stringify({ ...attempt, startedAt: this.clock.nowSeconds() }),
    );
    sendCookie(request, reply, { name: nameOf(request, attempt.state), value, seconds: LIFETIME_SECONDS });
  }

  /** Whether this browser began an attempt at a provider within the last seconds. */
  hasRecent(request: FastifyRequest, provider: string, seconds: number): boolean {
    const since = this.clock.nowSeconds() - seconds;
    return Object.entries(readCookies(request)).some(([name, sealed = '']) => {
      const text = name.startsWith(prefix(request)) ? this.sealer.open(PURPOSE, sealed) : null;
      const attempt = text === null ? null : (JSON.parse(text) as SignInAttempt);
      return attempt?.provider === provider && attempt.startedAt > since;
    });
  }

  /** Ends the attempt to which a provider answers; null where this browser did not begin it, or too long ago. */
  take(
    request: FastifyRequest,
    reply: FastifyReply,
    { provider, state }: Pick<SignInAttempt, 'provider' | 'state'>,
  ): SignInAttempt | null {
    const name = nameOf(request, state);
    const sealed = readCookies(request)[name];
    if (sealed === undefined) return null;
    sendCookie(request, reply, { name, value: '', seconds: 0 });
    const text = this.sealer.open(PURPOSE, sealed);
    if (text === null) return null;
    const attempt = JSON.parse(text) as SignInAttempt;
    const isOver = attempt.startedAt + LIFETIME_SECONDS <= this.clock.nowSeconds();
    return isOver || attempt.provider !== provider || attempt.state !== state ? null : attempt;
  }
}

function prefix(request: FastifyRequest): string {
  return cookieName(request, '_sso_');
}

function nameOf(request: FastifyRequest, state: string): string {
  return prefix(request) + state.replaceAll(/[^\w-]/g, '').slice(0, 8);
}
