import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RedisLink } from './redis-link';

/** A crashed node loses its locks after this time; a running one renews them. */
const HELD_FOR_MS = 5_000;

/** Random delay range between attempts to get the lock. */
const LOOK_AGAIN_MS = [5, 25] as const;

/** Runs a command on the key if this process still owns it. */
const ifMine = (command: string) =>
  `if redis.call('GET', KEYS[1]) == ARGV[1] then return ${command} else return 0 end`;
const RENEW = ifMine(`redis.call('PEXPIRE', KEYS[1], ARGV[2])`);
const GIVE_BACK = ifMine(`redis.call('DEL', KEYS[1])`);

/** A lock held by this process. */
export interface TakenLock {
  /**
   * @returns whether it was held all the time. Otherwise it expired, and another node may have taken it.
   * @throws when Redis does not answer
   */
  giveBack(): Promise<boolean>;
}

/** Locks shared by all nodes. */
export class RedisLock {
  /** @param heldForMs how long a lock outlives its node */
  constructor(
    private readonly link: RedisLink,
    private readonly heldForMs = HELD_FOR_MS,
  ) {}

  /**
   * Waits for a lock.
   * @returns null on timeout
   * @throws when Redis does not answer
   */
  async take(key: string, patienceMs: number): Promise<TakenLock | null> {
    const holder = randomUUID();
    const givesUpAt = performance.now() + patienceMs;
    const options = { expiration: { type: 'PX', value: this.heldForMs }, condition: 'NX' } as const;
    while ((await this.link.ask((redis) => redis.set(key, holder, options))) === null) {
      if (performance.now() > givesUpAt) return null;
      const [least, most] = LOOK_AGAIN_MS;
      await pause(least + Math.random() * (most - least));
    }
    return this.keep(key, holder);
  }

  private keep(key: string, holder: string): TakenLock {
    const renew = () => {
      // A lock that could not be renewed has expired by the time it is released.
      const call = { keys: [key], arguments: [holder, String(this.heldForMs)] };
      this.link.ask((redis) => redis.eval(RENEW, call)).catch(() => undefined);
    };
    const renewing = setInterval(renew, this.heldForMs / 3).unref();
    return {
      giveBack: async () => {
        clearInterval(renewing);
        const call = { keys: [key], arguments: [holder] };
        return (await this.link.ask((redis) => redis.eval(GIVE_BACK, call))) === 1;
      },
    };
  }
}
