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
  /** The email address of the account, in any spelling. */
  readonly email: string;
}

/**
 * A signed-in user's password confirmation. Counted by account, because the holder of its key may change the email
 * address at will.
 */
interface Confirmation {
  readonly userId: number;
}

/** A sign-in with a correct password that needs the code of a second factor. */
interface SecondStep {
  readonly factorOf: number;
}

/** An attempted password or code. */
export type LoginAttempt = SignIn | Confirmation | SecondStep;

/** Maximum clock difference between nodes. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** A limit that an attempt counts against. */
interface Counter {
  readonly key: string;
  readonly maxFailures: number;
}

/** @param accountsLeft how many more accounts the address may fail for */
type Check = (accountsLeft: number) => Promise<boolean>;

/**
 * Counts failed logins in a sliding window, by client address and email address; for signed-in people, by account. At
 * the limit, even the right password is refused; refused attempts do not count, and a success does not reset the count.
 * A second limit counts the accounts for which logins from one client address failed, so that nobody can try one
 * password on all of them.
 */
@Injectable()
export class LoginThrottle {
  private readonly failed: ReturnType<Metrics['counter']>;
  private readonly refused: ReturnType<Metrics['counter']>;
  /** Attempts being verified, by the address that they may count against. */
  private readonly running = new Map<string, Set<Promise<void>>>();

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
   * Runs a verification unless there were too many failures. Attempts that count together run one after another, so
   * that parallel guesses gain nothing.
   * @param verify whether the password is right; runs at most once
   * @param lockedOut runs after the failure that reaches the limit
   * @throws LoginThrottled
   */
  async verify(
    attempt: LoginAttempt,
    verify: () => Promise<boolean>,
    lockedOut: () => void = () => undefined,
  ): Promise<boolean> {
    const { person, address } = this.counters(attempt);
    return this.failures.underLock(person.key, async () => {
      const attemptsLeft = await this.roomIn(person);
      const isFirst = attemptsLeft === person.maxFailures;
      const check: Check = async (accountsLeft) => {
        const isRight = await verify();
        if (isRight) return true;
        this.failed.inc();
        const now = this.clock.nowMs();
        await this.failures.add(person.key, now, this.windowMs);
        if (address && isFirst) await this.failures.add(address.key, now, this.windowMs);
        if (attemptsLeft === 1 || accountsLeft === 1) lockedOut();
        return false;
      };
      return address ? this.checkWithin(address, check) : check(Infinity);
    });
  }

  /**
   * Runs checks from one address concurrently while all of them could fail within the limit, and one after another near
   * it.
   * @throws LoginThrottled
   */
  private async checkWithin(address: Counter, check: Check): Promise<boolean> {
    const isRight = await this.checkBeside(address, check);
    if (isRight !== null) return isRight;
    return this.failures.underLock(address.key, async () => {
      for (;;) {
        const isRightNow = await this.checkBeside(address, check);
        if (isRightNow !== null) return isRightNow;
        await Promise.all([...(this.running.get(address.key) ?? [])]);
      }
    });
  }

  /** @returns null, without a check, if the running ones might exhaust the limit */
  private async checkBeside(address: Counter, check: Check): Promise<boolean | null> {
    const running = this.running.get(address.key) ?? new Set();
    const others = running.size;
    let end: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => (end = resolve));
    this.running.set(address.key, running.add(mine));
    try {
      const left = (await this.roomIn(address)) - others;
      return left > 0 ? await check(left) : null;
    } finally {
      running.delete(mine);
      if (running.size === 0) this.running.delete(address.key);
      end();
    }
  }

  private counters(attempt: LoginAttempt): { readonly person: Counter; readonly address?: Counter } {
    const { loginMaxAttempts: maxFailures, loginAddressMaxAttempts } = this.config;
    if ('factorOf' in attempt)
      return { person: { key: JSON.stringify(['factor', attempt.factorOf]), maxFailures } };
    if ('userId' in attempt)
      return { person: { key: JSON.stringify(['signed in', attempt.userId]), maxFailures } };
    const from = normalizeIp(attempt.address);
    const person = { key: JSON.stringify([from, attempt.email.trim().toLowerCase()]), maxFailures };
    if (loginAddressMaxAttempts === 0) return { person };
    return { person, address: { key: JSON.stringify([from]), maxFailures: loginAddressMaxAttempts } };
  }

  /** @returns how many attempts are left. @throws LoginThrottled if none are */
  private async roomIn({ key, maxFailures }: Counter): Promise<number> {
    const now = this.clock.nowMs();
    const known = await this.failures.since(key, now - this.windowMs);
    // Times in the future are from before the clock was set back, and would count for too long.
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

/** A rate limit. */
interface Limit {
  readonly times: number;
  readonly withinMs: number;
}

/**
 * Limits costly actions of unauthenticated callers in a sliding window: across all nodes that share a Redis, like
 * failed logins.
 */
@Injectable()
export class RequestLimit {
  constructor(
    private readonly counted: LoginFailures,
    private readonly clock: Clock,
  ) {}

  /** Counts an action of a client, unless it exceeds the limit. @returns whether it is allowed */
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
      // Times in the future are from before the clock was set back.
      const recent = (await this.counted.since(key, now - withinMs)).filter((time) => time <= now);
      if (recent.length >= times) return false;
      await this.counted.add(key, now, withinMs);
      return true;
    });
  }
}
