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
import { accessPolicy } from './decorators';

/** Length of the rolling window. */
const WINDOW_MS = 60_000;

/** Requests within the window from one address by callers without an account (reference A6). */
const STRANGER_LIMIT = 100;

/** @param perAccount requests within the window that one account may make; 0 switches all limits off. */
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
 * Limits the requests of each account, and of each address for callers without one, and says on every
 * answer how many are left (reference A6). It stands between authentication and the rest, so refused
 * credentials are not counted, but bad parameters are.
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
