import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors/api-error';
import { MisdirectedRequest } from '../errors/request.errors';

/** A host as `Host` has it: an IPv6 address in brackets or a name, and perhaps a port. */
const HOST = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{0,5})?$/;

/**
 * The hosts that the server answers for. Without this, another site could have its own name resolve to this server (DNS
 * rebinding): to a browser, the pages of that site would then be of the same origin as this server, and read its answers.
 */
class AllowedHosts {
  private readonly names = new Set(['localhost']);
  private readonly suffixes: string[] = ['.localhost'];
  /** Nearly all requests name the same host. */
  private last: string | undefined;

  /** @param hosts names in lower case; `*.example.com` stands for every name below `example.com` */
  constructor(hosts: readonly string[]) {
    for (const host of hosts) {
      if (host.startsWith('*.')) this.suffixes.push(host.slice(1));
      else this.names.add(host);
    }
  }

  /** @param host the value of `Host` or `X-Forwarded-Host` */
  includes(host: string): boolean {
    if (host === this.last) return true;
    const isIncluded = this.includesName(nameIn(host));
    if (isIncluded) this.last = host;
    return isIncluded;
  }

  /**
   * IP addresses are always allowed, for health checks and local networks: they cannot be rebound by DNS, so a page
   * under one comes from the server that has it.
   */
  private includesName(name: string): boolean {
    return this.names.has(name) || isIP(name) !== 0 || this.suffixes.some((suffix) => name.endsWith(suffix));
  }
}

/** The name or address in lower case, without its port and the dot of the root; empty if there is none. */
function nameIn(host: string): string {
  const [, address, name = ''] = HOST.exec(host) ?? [];
  return address ?? name.toLowerCase().replace(/\.$/, '');
}

/**
 * Refuses requests for other hosts before anything else is done for them. `X-Forwarded-Host` has to fit as well where a
 * trusted proxy sends it, but never in place of `Host`: on the machine of the proxy, a page can send it as well.
 */
export function registerAllowedHosts(fastify: FastifyInstance, hosts: readonly string[]): void {
  const allowed = new AllowedHosts(hosts);
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { host } = request.headers;
    if (host === undefined) {
      // HTTP 1.0 knows no host, and browsers do not speak it.
      done(request.raw.httpVersion === '1.1' ? new ApiError('Missing Host header') : undefined);
      return;
    }
    const isAllowed = allowed.includes(host) && allowed.includes(request.host);
    done(isAllowed ? undefined : new MisdirectedRequest());
  });
}
