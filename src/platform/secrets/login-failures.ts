import { createHmac, randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { RedisLink } from '../redis/redis-link';
import { RedisLock, type TakenLock } from '../redis/redis-lock';
import { TooManyPasswordChecks } from './secrets.errors';

/** Stores failed logins under the keys that they count against. */
export abstract class LoginFailures {
  /** Times of the failures after the given time, in milliseconds, oldest first. */
  abstract since(key: string, afterMs: number): Promise<readonly number[]>;

  /** @param keptMs how long it counts */
  abstract add(key: string, atMs: number, keptMs: number): Promise<void>;

  /**
   * Runs work under a lock on the key.
   * @throws whatever the work throws
   */
  abstract underLock<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Above this, the oldest failures are dropped. */
const MOST_KEYS = 100_000;

/** Stores failures in the memory of this process. */
@Injectable()
export class LoginFailuresInMemory extends LoginFailures {
  /** By key, ordered by the last failure, oldest first. */
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

/** Callers that wait longer than this for the lock are refused. */
const PATIENCE_MS = 10_000;

/** While Redis is down, it is retried at most this often. */
const TRY_AGAIN_AFTER_MS = 2_000;

/**
 * Stores failures in Redis for all nodes, and in the memory of this one in case Redis is down; then each node counts
 * alone. Redis receives neither IP nor email addresses.
 */
export class SharedLoginFailures extends LoginFailures {
  private readonly logger = new Logger('LoginFailures');
  private readonly here = new LoginFailuresInMemory();
  private readonly lock: RedisLock;
  private isDown = false;
  private triedAt = 0;

  /** @param hashKey key of the hash that replaces the keys in Redis */
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
    // Failures counted without Redis are known only here.
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
    // Only one caller per node waits for the lock between nodes.
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
      // Another node took the lock, so this attempt may exceed the limit.
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
