import { refusal } from '../errors/api-error';
import { BlockList, isIP } from 'node:net';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Config } from '../config/config';
import { isSameSecret } from '../secrets/secret-links';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Headers added by proxies. A program on this machine that calls directly sends none of them. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** Admits callers with the token or, if none is set, connections from this machine itself. */
@Injectable()
export class MetricsAccessGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { metricsToken } = this.config;
    if (metricsToken === null) {
      if (!isOwnMachine(request)) throw new MetricsForThisMachine();
    } else if (!isSameSecret(bearerToken(request), metricsToken)) {
      throw new MetricsTokenRequired();
    }
    return true;
  }
}

/** A proxy on this machine, configured or not, forwards requests of others. */
function isOwnMachine({ headers, ip, socket }: FastifyRequest): boolean {
  if (PROXY_HEADERS.some((name) => headers[name] !== undefined)) return false;
  return isLoopback(ip) && isLoopback(socket.remoteAddress ?? '');
}

function isLoopback(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && loopback.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** Empty if there is none. */
function bearerToken({ headers }: FastifyRequest): string {
  return /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

/** A token for the metrics is configured, and the caller did not send it. */
class MetricsTokenRequired extends refusal('This endpoint requires the token in METRICS_TOKEN.', {
  code: 'UNAUTHORIZED',
  status: 401,
  headers: { 'www-authenticate': 'Bearer realm="metrics"' },
}) {}

/** Without a token, metrics are served to this machine only. */
class MetricsForThisMachine extends refusal(
  'This endpoint accepts only local requests unless METRICS_TOKEN is set.',
  {
    code: 'FORBIDDEN',
    status: 403,
  },
) {}
