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

/** Requests with one key within the window: directories send some 25 a second at once, and try again later. */
const KEY_LIMIT = 3_000;

/** Refused keys from one address within the window. */
const REFUSED_LIMIT = 100;

/** The directory that calls. */
export interface DirectoryCaller extends Caller {
  readonly way: 'directory';
  /** Its name. */
  readonly clientName: string;
}

const callers = new WeakMap<FastifyRequest, DirectoryCaller>();

/** Admits requests with the key of a directory, and reads their bodies. */
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

/** The directory that sent a request, after the guard. */
export function directoryOf(request: FastifyRequest): DirectoryCaller {
  return callers.get(request)!;
}
