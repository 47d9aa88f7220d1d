import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { AccessPolicy } from '../access.guard';

/** Read-only methods, which any site may make a browser send. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request only reads. */
export function isSafe({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return SAFE_METHODS.has(method);
}

/**
 * The reason to refuse a request that a browser sent for another site, from the headers that state this. A missing
 * header proves nothing either way.
 * @param externalUrl the URL under which people reach the server
 * @returns null if there is no reason
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

/** Whether the browser stated the site that a request comes from. */
export function saysForWhom({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

/**
 * Behind a trusted proxy, the host that the browser named counts. A page without TLS does not belong to a server with
 * TLS.
 */
function isOwnOrigin(origin: string, request: FastifyRequest, externalUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  if (origin === new URL(externalUrl).origin) return true;
  const isSecure = request.server.transport.isSecureRequest(request.raw);
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && !isSecure);
  return isAllowed && host === withoutUsualPort(request.host.toLowerCase(), protocol);
}

/** A host in the format of origins. */
function withoutUsualPort(host: string, protocol: string): string {
  return host.replace(protocol === 'https:' ? /:443$/ : /:80$/, '');
}

/**
 * The only places where the cookie of a session counts: the interface for browsers under `/json`, pages, and files that
 * pages show or upload.
 */
export type Door = 'json' | 'page' | 'file' | 'upload';

/** The form field, and the request header, with the token of a page's session. */
export const CSRF_FIELD = 'csrfmiddlewaretoken';
export const CSRF_HEADER = 'x-csrftoken';
/** Name of the cookie from which clients that sign in on a development server take the token. */
export const CSRF_COOKIE = 'csrftoken';

const MAIN_INTERFACE = '/api/v1/';
const API = '/api/';
const DIRECTORY_INTERFACE = '/scim/';
const JSON_DOOR = '/json/';
const COMPANION_DOOR = '/json/companion/';

/** The alternative URL of the sign-in page, which clients use. */
const SIGN_IN_ALIAS = /^\/accounts\/(?=login\/?(?:\?|$))/;

/** An uploaded file with all slashes after the organization's number escaped. */
const ESCAPED_UPLOAD = /^(?:\/api\/v1)?\/user_uploads\/\d+\/[^/?]*%2f[^/?]*(?:\?|$)/i;

const CAME_THROUGH = Symbol('came through the door for browsers');

interface Marked {
  [CAME_THROUGH]?: true;
}

/**
 * Rewrites `/json/…` to `/api/v1/…` and `/json/companion/…` to `/api/…`, and marks the request. It matches the raw
 * path, before decoding, so no other spelling of the same route is a door. A rerouted request keeps its mark.
 */
export function throughDoor(request: IncomingMessage): string {
  const url = request.url ?? '/';
  if (url.startsWith(JSON_DOOR)) {
    (request as Marked)[CAME_THROUGH] = true;
    if (url.startsWith(COMPANION_DOOR)) return `/api/${url.slice(COMPANION_DOOR.length)}`;
    const inside = `/api/v1/${url.slice(JSON_DOOR.length)}`;
    return ESCAPED_UPLOAD.test(inside) ? withPlainSlashes(inside) : inside;
  }
  if (ESCAPED_UPLOAD.test(url)) return withPlainSlashes(url);
  return url.startsWith('/accounts/login') ? url.replace(SIGN_IN_ALIAS, '/') : url;
}

/** Clients generated from the API description escape the slashes in the path of an uploaded file. */
function withPlainSlashes(url: string): string {
  const [path] = url.split('?', 1);
  return path!.replace(/%2f/gi, '/') + url.slice(path!.length);
}

/** The door through which a request came; null for most, which carry credentials. */
export function doorOf(request: FastifyRequest, policy: AccessPolicy): Door | null {
  if ((request.raw as Marked)[CAME_THROUGH]) return 'json';
  if (policy.scheme === 'session') return 'page';
  if (!policy.takesSessions || request.headers.authorization !== undefined) return null;
  if (policy.trustsOrigin) return 'upload';
  return isSafe(request) ? 'file' : null;
}

/** Whether a URL belongs to the main interface, whose answers have the envelope. */
export function isMainInterface(url: string): boolean {
  return url.startsWith(MAIN_INTERFACE) || normalizedPath(url).startsWith(MAIN_INTERFACE);
}

/** Whether a URL belongs to the main or the companion interface. */
export function isApi(url: string): boolean {
  return url.startsWith(API) || normalizedPath(url).startsWith(API);
}

/** Whether a URL belongs to the directory interface, whose errors have the format of SCIM. */
export function isDirectoryInterface(url: string): boolean {
  return url.startsWith(DIRECTORY_INTERFACE) || normalizedPath(url).startsWith(DIRECTORY_INTERFACE);
}

/** The path as the router sees it (slashes collapsed, escapes decoded, no host), with a trailing slash. */
function normalizedPath(url: string): string {
  const path = url
    .replace(/^https?:\/\/[^/]*/i, '')
    .replace(/[?#].*$/s, '')
    .concat('/')
    .replace(/\/\/+/g, '/');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
