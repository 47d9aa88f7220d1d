import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../../platform/clock';
import { cookieName, readCookies, sendCookie } from '../../platform/http/doors/session-cookie';
import { Sealer } from '../../platform/secrets/server-secret';
import type { AppFlow } from './identity-providers.api';
import type { AttemptSecrets } from './openid-client.service';

const PURPOSE = 'sign-in-attempts';

const LIFETIME_SECONDS = 600;

/** Maximum concurrent attempts of a browser, in several tabs; one more discards all others. */
const MAX_ATTEMPTS = 5;

/** A sign-in at a provider in progress. */
export interface SignInAttempt extends AttemptSecrets {
  readonly provider: string;
  /** Page to open after signing in: a path on this server. */
  readonly next: string;
  /** The app that receives the result; null in a browser. */
  readonly flow: AppFlow | null;
  /** Whether an owner only wants to view the claims. */
  readonly isTrial: boolean;
  /** UNIX seconds. */
  readonly startedAt: number;
}

/**
 * Keeps each attempt to sign in with a provider in a sealed cookie: strangers cannot fill the database, any node can
 * complete an attempt, and a provider's response is only valid in the browser that requested it.
 */
@Injectable()
export class SignInAttempts {
  constructor(
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /** Stores an attempt in the browser for ten minutes. */
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

  /** Whether this browser began an attempt with a provider within the last `seconds`. */
  hasRecent(request: FastifyRequest, provider: string, seconds: number): boolean {
    const since = this.clock.nowSeconds() - seconds;
    return Object.entries(readCookies(request)).some(([name, sealed = '']) => {
      const text = name.startsWith(prefix(request)) ? this.sealer.open(PURPOSE, sealed) : null;
      const attempt = text === null ? null : (JSON.parse(text) as SignInAttempt);
      return attempt?.provider === provider && attempt.startedAt > since;
    });
  }

  /** Removes and returns the attempt that a response belongs to; null if this browser has none, or it is too old. */
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
