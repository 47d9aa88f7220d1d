import type { FastifyRequest } from 'fastify';

/** Methods that change nothing, which any site may have a browser send. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request changes nothing. */
export function isSafe({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return SAFE_METHODS.has(method);
}

/**
 * What shows that a browser sent a request for another site: the headers in which it says for whom it does. A browser
 * that leaves them out says nothing either way.
 * @param externalUrl the address under which people reach the server
 * @returns the reason for a refusal; null where there is none
 */
export function foreignReason(request: FastifyRequest, externalUrl: string): string | null {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return 'The browser sent this for another site.';
  }
  if (origin !== undefined && !isOwnOrigin(origin, request, externalUrl)) {
    return 'Origin is not this server.';
  }
  return null;
}

/** Whether the browser said for which site it sends a request. */
export function saysForWhom({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

/** Behind a trusted proxy, the host that the browser named counts. A page without TLS is no page of a server that has it. */
function isOwnOrigin(origin: string, request: FastifyRequest, externalUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  if (origin === new URL(externalUrl).origin) return true;
  const isSecure = request.server.transport.isSecureRequest(request.raw);
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && !isSecure);
  return isAllowed && host === withoutUsualPort(request.host.toLowerCase(), protocol);
}

/** As browsers write it in an origin. */
function withoutUsualPort(host: string, protocol: string): string {
  return host.replace(protocol === 'https:' ? /:443$/ : /:80$/, '');
}
