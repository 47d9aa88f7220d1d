import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  getOptionsToken,
  getStorageToken,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../clock';
import { RateLimitHit } from '../errors/request.errors';
import { accessPolicy } from './access.guard';

/** Length of the rolling window. */
const WINDOW_MS = 60_000;

/** Maximum number of requests within the window from one address without an account. */
const STRANGER_LIMIT = 100;

/** @param perAccount maximum number of requests of an account within the window; 0 disables all limits */
export function throttlerOptions(perAccount: number): ThrottlerModuleOptions {
  return {
    throttlers: [
      {
        ttl: WINDOW_MS,
        limit: (context) => (requestOf(context).actor === null ? STRANGER_LIMIT : perAccount),
        skipIf: (context) => perAccount === 0 || !accessPolicy(context).isRateLimited,
      },
    ],
  };
}

/**
 * Limits the requests of each account, and of each address for callers without one; every answer states how many are
 * left. It runs right after authentication, so refused credentials do not count, but bad parameters do.
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  constructor(
    @Inject(getOptionsToken()) options: ThrottlerModuleOptions,
    @Inject(getStorageToken()) storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly clock: Clock,
  ) {
    super(options, storage, reflector);
  }

  protected override async handleRequest(limits: ThrottlerRequest): Promise<boolean> {
    const { context, limit, ttl, blockDuration, throttler } = limits;
    const key = await this.callerKey(context);
    const hit = await this.storageService.increment(key, ttl, limit, blockDuration, throttler.name!);
    const wait = hit.isBlocked ? hit.timeToBlockExpire : hit.timeToExpire;
    context
      .switchToHttp()
      .getResponse<FastifyReply>()
      .header('x-ratelimit-limit', String(limit))
      .header('x-ratelimit-remaining', String(limit - hit.totalHits))
      .header('x-ratelimit-reset', String(Math.floor(this.clock.nowMs() / 1000 + wait)));
    if (hit.isBlocked) {
      throw new RateLimitHit(hit.timeToBlockExpire);
    }
    return true;
  }

  /** Addresses of one IPv6 network count as one. */
  private async callerKey(context: ExecutionContext): Promise<string> {
    const { actor, ip } = requestOf(context);
    return actor === null ? `address ${await this.getTracker({ ip })}` : `account ${actor.userId}`;
  }
}

function requestOf(context: ExecutionContext): FastifyRequest {
  return context.switchToHttp().getRequest<FastifyRequest>();
}

/** Maximum number of tracked callers; beyond that, those idle longest are dropped. */
const MAX_CALLERS = 100_000;

/** The throttler's verdict on a request; times in seconds, with fractions. */
type Outcome = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * Counts requests in a sliding window: a request is allowed if fewer than `limit` were allowed within the preceding
 * window. Refused requests do not count. Stores one number for each request in the window.
 */
@Injectable()
export class RollingWindowStorage implements ThrottlerStorage {
  /** Callers by key, least recently active first. */
  private readonly callers = new Map<string, RequestTimes>();

  constructor(private readonly clock: Clock) {}

  /** @param windowMs length of the window in milliseconds */
  async increment(key: string, windowMs: number, limit: number): Promise<Outcome> {
    const now = this.clock.monotonicMs();
    this.forgetQuietCallers(now - windowMs);
    const times = this.callers.get(key) ?? new RequestTimes();
    times.dropUntil(now - windowMs);
    const isBlocked = times.count >= limit;
    if (!isBlocked) {
      times.add(now);
      this.callers.delete(key);
      this.callers.set(key, times);
    }
    return {
      totalHits: times.count,
      isBlocked,
      timeToExpire: (times.newest + windowMs - now) / 1000,
      timeToBlockExpire: isBlocked ? (times.oldest + windowMs - now) / 1000 : 0,
    };
  }

  /** Number of tracked callers. */
  get size(): number {
    return this.callers.size;
  }

  private forgetQuietCallers(until: number): void {
    for (const [key, times] of this.callers) {
      if (times.newest > until && this.callers.size <= MAX_CALLERS) {
        return;
      }
      this.callers.delete(key);
    }
  }
}

/** Times of one caller's requests, oldest first. */
class RequestTimes {
  private times: number[] = [];
  private start = 0;

  get count(): number {
    return this.times.length - this.start;
  }

  get oldest(): number {
    return this.times[this.start] ?? 0;
  }

  get newest(): number {
    return this.times.at(-1) ?? 0;
  }

  add(time: number): void {
    this.times.push(time);
  }

  /** Drops requests made at or before a time; frees memory once half of it is unused. */
  dropUntil(time: number): void {
    while (this.count > 0 && this.oldest <= time) {
      this.start++;
    }
    if (this.start > 32 && this.start > this.count) {
      this.times = this.times.slice(this.start);
      this.start = 0;
    }
  }
}
