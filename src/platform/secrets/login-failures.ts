import { createHmac, randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { RedisLink } from '../redis/redis-link';
import { RedisLock, type TakenLock } from '../redis/redis-lock';
import { TooManyPasswordChecks } from './secrets.errors';

/** Remembers failed logins, by what they are counted under. */
export abstract class LoginFailures {
  /** Times of the failures after a time, in milliseconds, oldest first. */
  abstract since(key: string, afterMs: number): Promise<readonly number[]>;

  /** @param keptMs how long it matters */
  abstract add(key: string, atMs: number, keptMs: number): Promise<void>;

  /**
   * Runs one piece of work at a time for each key.
   * @throws whatever the work throws
   */
  abstract underLock<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Beyond it, the oldest failures are dropped. */
const MOST_KEYS = 100_000;

/** Remembers in the memory of this process. */
@Injectable()
export class LoginFailuresInMemory extends LoginFailures {
  /** The key that failed least recently comes first. */
  private readonly failures = new Map<string, readonly number[]>();
  private readonly locks = new Map<string, Promise<unknown>>();

  since(key: string, afterMs: number): Promise<readonly number[]> {
    return Promise.resolve(this.known(key, afterMs));
  }

  add(key: string, atMs: number, keptMs: number): Promise<void> {
    const recent = this.known(key, atMs - keptMs);
    this.failures.delete(key);
    this.failures.set(key, [...recent, atMs]);
    for (const oldest of this.failures.keys()) {
      if (this.failures.size <= MOST_KEYS) break;
      this.failures.delete(oldest);
    }
    return Promise.resolve();
  }

  private known(key: string, afterMs: number): readonly number[] {
    return (this.failures.get(key) ?? []).filter((time) => time > afterMs);
  }

  async underLock<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.locks.get(key) ?? Promise.resolve()).then(work);
    const settled = result.catch(() => undefined);
    this.locks.set(key, settled);
    try {
      return await result;
    } finally {
      if (this.locks.get(key) === settled) this.locks.delete(key);
    }
  }
}

/** Who waits longer than this for the lock is asked to come back. */
const PATIENCE_MS = 10_000;

/** While Redis is down, it is not retried more often than this. */
const TRY_AGAIN_AFTER_MS = 2_000;

/**
 * Remembers in Redis, for all nodes together, and in the memory of this one for when Redis is down; then each node
 * counts alone. Redis sees neither addresses nor e-mail addresses.
 */
export class SharedLoginFailures extends LoginFailures {
  private readonly logger = new Logger('LoginFailures');
  private readonly here = new LoginFailuresInMemory();
  private readonly lock: RedisLock;
  private isDown = false;
  private triedAt = 0;

  /** @param hashKey under which keys are hashed */
  constructor(
    private readonly link: RedisLink,
    private readonly hashKey: Buffer,
  ) {
    super();
    this.lock = new RedisLock(link);
  }

  async since(key: string, afterMs: number): Promise<readonly number[]> {
    const here = await this.here.since(key, afterMs);
    const everywhere = await this.ask(() =>
      this.link.ask((redis) =>
        redis.zRangeByScoreWithScores(this.nameOf('failures', key), `(${afterMs}`, '+inf'),
      ),
    );
    const times = (everywhere ?? []).map(({ score }) => score);
    // Those of the time without Redis are known here alone.
    return times.length >= here.length ? times : here;
  }

  async add(key: string, atMs: number, keptMs: number): Promise<void> {
    await this.here.add(key, atMs, keptMs);
    const name = this.nameOf('failures', key);
    await this.ask(() =>
      this.link.ask((redis) =>
        redis
          .multi()
          .zRemRangeByScore(name, '-inf', atMs - keptMs)
          .zAdd(name, { score: atMs, value: randomUUID() })
          .pExpire(name, keptMs)
          .exec(),
      ),
    );
  }

  async underLock<T>(key: string, work: () => Promise<T>): Promise<T> {
    // One of each node waits for the lock among nodes.
    return this.here.underLock(key, async () => {
      const lock = await this.ask(() => this.takeLock(key));
      if (!lock) return work();
      let isMine: boolean | null = null;
      let result: T;
      try {
        result = await work();
      } finally {
        isMine = await lock.giveBack().catch(() => null);
      }
      // Another node took the lock, so this attempt was one too many.
      if (isMine === false) throw new TooManyPasswordChecks();
      return result;
    });
  }

  private async takeLock(key: string): Promise<TakenLock> {
    const lock = await this.lock.take(this.nameOf('turn', key), PATIENCE_MS);
    if (!lock) throw new TooManyPasswordChecks();
    return lock;
  }

  private nameOf(kind: 'failures' | 'turn', key: string): string {
    const hash = createHmac('sha256', this.hashKey).update(key).digest('base64url');
    return this.link.key('login', kind, hash);
  }

  /** @returns null while Redis does not answer */
  private async ask<T>(question: () => Promise<T>): Promise<T | null> {
    if (this.isDown && performance.now() < this.triedAt + TRY_AGAIN_AFTER_MS) return null;
    this.triedAt = performance.now();
    try {
      const answer = await question();
      if (this.isDown) this.logger.log('Failed sign-ins are counted across all nodes again.');
      this.isDown = false;
      return answer;
    } catch (error) {
      if (error instanceof TooManyPasswordChecks) throw error;
      if (!this.isDown)
        this.logger.warn(
          'Redis does not respond. Failed sign-ins are counted on each node separately.',
          error,
        );
      this.isDown = true;
      return null;
    }
  }
}
