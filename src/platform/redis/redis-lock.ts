import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RedisLink } from './redis-link';

/** A node that dies gives back what it held after this long; a living one renews it in time. */
const HELD_FOR_MS = 5_000;

/** Somebody else's turn is looked at again after a moment between these. */
const LOOK_AGAIN_MS = [5, 25] as const;

/** Does something to a key as long as it holds what this holder put there. */
const ifMine = (command: string) =>
  `if redis.call('GET', KEYS[1]) == ARGV[1] then return ${command} else return 0 end`;
const RENEW = ifMine(`redis.call('PEXPIRE', KEYS[1], ARGV[2])`);
const GIVE_BACK = ifMine(`redis.call('DEL', KEYS[1])`);

/** A lock that this process has. */
export interface TakenLock {
  /**
   * @returns whether it was held all the time. Otherwise it had run out, and another node may have got it meanwhile.
   * @throws when Redis does not answer
   */
  giveBack(): Promise<boolean>;
}

/** Locks that at most one node has at a time. */
export class RedisLock {
  /** @param heldForMs how long one outlives its node */
  constructor(
    private readonly link: RedisLink,
    private readonly heldForMs = HELD_FOR_MS,
  ) {}

  /**
   * Waits for a lock.
   * @returns null when it was not to be had within the time
   * @throws when Redis does not answer
   */
  async take(key: string, patienceMs: number): Promise<TakenLock | null> {
    const holder = randomUUID();
    const givesUpAt = performance.now() + patienceMs;
    while ((await this.link.ask((redis) => redis.set(key, holder, 'PX', this.heldForMs, 'NX'))) === null) {
      if (performance.now() > givesUpAt) return null;
      const [least, most] = LOOK_AGAIN_MS;
      await pause(least + Math.random() * (most - least));
    }
    return this.keep(key, holder);
  }

  private keep(key: string, holder: string): TakenLock {
    const renew = () => {
      // A lock that could not be renewed has run out by the time it is given back.
      this.link.ask((redis) => redis.eval(RENEW, 1, key, holder, this.heldForMs)).catch(() => undefined);
    };
    const renewing = setInterval(renew, this.heldForMs / 3).unref();
    return {
      giveBack: async () => {
        clearInterval(renewing);
        return (await this.link.ask((redis) => redis.eval(GIVE_BACK, 1, key, holder))) === 1;
      },
    };
  }
}
