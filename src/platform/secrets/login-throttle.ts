import { Injectable } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import { LoginFailures } from './login-failures';
import { LoginThrottled } from './secrets.errors';
import { Clock } from '../clock';
import { Config } from '../config/config';
import { Metrics } from '../metrics/metrics';

/** A sign-in attempt. */
interface SignIn {
  /** Address of the client. */
  readonly address: string;
  /** The e-mail address of the account, in any spelling. */
  readonly email: string;
}

/**
 * A signed-in user's password confirmation. Counted by account, since the holder of its key may change the email
 * address at will.
 */
interface Confirmation {
  readonly userId: number;
}

/** A sign-in with a correct password that needs the code of a second factor. */
interface SecondStep {
  readonly factorOf: number;
}

/** A password or code that is tried. */
export type LoginAttempt = SignIn | Confirmation | SecondStep;

/** By how much the clocks of nodes may differ. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** A limit that an attempt counts against. */
interface Counter {
  readonly key: string;
  readonly maxFailures: number;
}

/**
 * Counts failed logins in a sliding window, by client address together with the e-mail address,
 * and by client address alone where the operator wants it; of people who are signed in, by their account. At the maximum the right password does not
 * help either; what is refused is not counted, and a success forgives nothing.
 */
@Injectable()
export class LoginThrottle {
  private readonly failed: ReturnType<Metrics['counter']>;
  private readonly refused: ReturnType<Metrics['counter']>;

  constructor(
    private readonly failures: LoginFailures,
    private readonly config: Config,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.failed = metrics.counter('parley_logins_failed_total', 'Logins with a wrong password.');
    this.refused = metrics.counter(
      'parley_logins_throttled_total',
      'Logins refused after too many of those.',
    );
  }

  /**
   * Runs a verification unless there were too many failures. Those counted together run one after another,
   * so that guesses made side by side are worth no more than others.
   * @param verify whether the password is right; runs at most once
   * @param lockedOut runs after the failure that leaves no more attempts
   * @throws LoginThrottled
   */
  async verify(
    attempt: LoginAttempt,
    verify: () => Promise<boolean>,
    lockedOut: () => void = () => undefined,
  ): Promise<boolean> {
    const counters = this.counters(attempt);
    // Where an address is limited as a whole, all its attempts are counted together.
    const locked = counters.at(-1) as Counter;
    return this.failures.underLock(locked.key, async () => {
      let attemptsLeft = Infinity;
      for (const counter of counters) attemptsLeft = Math.min(attemptsLeft, await this.roomIn(counter));
      const isRight = await verify();
      const now = this.clock.nowMs();
      if (!isRight) this.failed.inc();
      if (!isRight) for (const { key } of counters) await this.failures.add(key, now, this.windowMs);
      if (!isRight && attemptsLeft === 1) lockedOut();
      return isRight;
    });
  }

  private counters(attempt: LoginAttempt): Counter[] {
    const { loginMaxAttempts, loginAddressMaxAttempts } = this.config;
    if ('factorOf' in attempt) {
      return [{ key: JSON.stringify(['factor', attempt.factorOf]), maxFailures: loginMaxAttempts }];
    }
    if ('userId' in attempt) {
      return [{ key: JSON.stringify(['signed in', attempt.userId]), maxFailures: loginMaxAttempts }];
    }
    const from = normalizeIp(attempt.address);
    const person: Counter = {
      key: JSON.stringify([from, attempt.email.trim().toLowerCase()]),
      maxFailures: loginMaxAttempts,
    };
    if (loginAddressMaxAttempts === 0) return [person];
    return [person, { key: JSON.stringify([from]), maxFailures: loginAddressMaxAttempts }];
  }

  /** @returns how many attempts are left. @throws LoginThrottled where none is */
  private async roomIn({ key, maxFailures }: Counter): Promise<number> {
    const now = this.clock.nowMs();
    const known = await this.failures.since(key, now - this.windowMs);
    // Those from later than now are from before the clock was put back, and would count for as long again.
    const recent = known.filter((time) => time <= now + CLOCK_DIFFERENCE_MS);
    if (recent.length < maxFailures) return maxFailures - recent.length;
    this.refused.inc();
    const untilThereIsRoom = recent.at(-maxFailures) as number;
    throw new LoginThrottled((untilThereIsRoom + this.windowMs - now) / 1000);
  }

  private get windowMs(): number {
    return this.config.loginWindowSeconds * 1000;
  }
}

/** How often something may happen. */
interface Limit {
  readonly times: number;
  readonly withinMs: number;
}

/**
 * Limits what strangers may ask for that costs others something, in a sliding window: on all nodes together where they
 * share a Redis, as failed logins are counted.
 */
@Injectable()
export class RequestLimit {
  constructor(
    private readonly counted: LoginFailures,
    private readonly clock: Clock,
  ) {}

  /** Counts what one client asks for, unless it was too much; @returns whether it may happen */
  takeFrom(address: string, what: string, limit: Limit): Promise<boolean> {
    return this.take([what, 'from', normalizeIp(address)], limit);
  }

  /** The same per recipient of the request instead of per caller. */
  takeFor(whom: string, what: string, limit: Limit): Promise<boolean> {
    return this.take([what, 'for', whom], limit);
  }

  private take(about: readonly string[], { times, withinMs }: Limit): Promise<boolean> {
    const key = JSON.stringify(['limit', ...about]);
    return this.counted.underLock(key, async () => {
      const now = this.clock.nowMs();
      // Those from later than now are from before the clock was put back.
      const recent = (await this.counted.since(key, now - withinMs)).filter((time) => time <= now);
      if (recent.length >= times) return false;
      await this.counted.add(key, now, withinMs);
      return true;
    });
  }
}
