import { Injectable } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import { Clock } from '../clock';
import { LoginFailures } from './login-failures';

/** How often something may happen. */
export interface Limit {
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
