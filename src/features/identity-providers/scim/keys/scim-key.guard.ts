import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../../platform/actor';
import { RateLimitHit } from '../../../../platform/errors/request.errors';
import { readBody } from '../../../../platform/http/body/unread-body';
import { RollingWindowStorage } from '../../../../platform/http/rate-limit.guard';
import { ScimKeyRefused } from '../protocol/scim.api';
import { ScimKeys } from './scim-keys.service';

const WINDOW_MS = 60_000;

/** Maximum requests with one key per window; directories send bursts of about 25 a second, and retry later. */
const KEY_LIMIT = 3_000;

/** Maximum refused keys from one IP address per window. */
const REFUSED_LIMIT = 100;

/** The calling directory. */
export interface DirectoryCaller extends Caller {
  readonly way: 'directory';
  /** Name of the directory. */
  readonly clientName: string;
}

const callers = new WeakMap<FastifyRequest, DirectoryCaller>();

/** Admits requests with a directory's key, and reads their bodies. */
@Injectable()
export class ScimKeyGuard implements CanActivate {
  constructor(
    private readonly keys: ScimKeys,
    private readonly counted: RollingWindowStorage,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ', 2);
    const key = scheme?.toLowerCase() === 'bearer' ? await this.keys.find(token) : null;
    if (!key) {
      await this.count(`address ${normalizeIp(request.ip)}`, REFUSED_LIMIT);
      throw new ScimKeyRefused();
    }
    await this.count(`key ${key.id}`, KEY_LIMIT);
    callers.set(request, { way: 'directory', address: request.ip, clientName: key.directory });
    await readBody(request, request.server.requestLimits);
    return true;
  }

  /** @throws RateLimitHit */
  private async count(whom: string, limit: number): Promise<void> {
    const { isBlocked, timeToBlockExpire } = await this.counted.increment(whom, WINDOW_MS, limit);
    if (isBlocked) throw new RateLimitHit(timeToBlockExpire);
  }
}

/** The directory that sent a request; requires the guard to have run. */
export function directoryOf(request: FastifyRequest): DirectoryCaller {
  return callers.get(request)!;
}
