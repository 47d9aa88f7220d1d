import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Name of a cookie of this server; the session's has no suffix. Over TLS, the prefix makes browsers refuse cookies of
 * that name from another host or from a page without TLS. Without TLS the name contains the port, because cookies are
 * shared across ports: servers on one machine would sign out each other's users.
 */
export function cookieName(request: FastifyRequest, suffix = ''): string {
  return (isSecure(request) ? '__Host-parley' : `parley_${portOf(request.host)}`) + suffix;
}

/** The cookies that the browser sent, by name. */
export function readCookies(request: FastifyRequest): Readonly<Record<string, string | undefined>> {
  const { cookie } = request.headers;
  return cookie === undefined ? {} : parseCookie(cookie);
}

/** The text of the session's cookie; undefined if not sent. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  return readCookies(request)[cookieName(request)];
}

/** Name of the cookie of a trusted browser, which skips the second factor. */
export function deviceCookieName(request: FastifyRequest): string {
  return cookieName(request, '_device');
}

/** The value of that cookie; empty if not sent. */
export function readDeviceCookie(request: FastifyRequest): string {
  return readCookies(request)[deviceCookieName(request)] ?? '';
}

/** Sets the cookie for the lifetime of the session; page scripts cannot read it. */
export function sendSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  session: { readonly token: string; readonly seconds: number },
): void {
  sendCookie(request, reply, { name: cookieName(request), value: session.token, seconds: session.seconds });
}

/** Sets a cookie that other sites do not send, except when following a link to here; 0 seconds delete it. */
export function sendCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, value, seconds }: { readonly name: string; readonly value: string; readonly seconds: number },
): void {
  const options = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(request),
    maxAge: seconds,
  } as const;
  void reply.header('set-cookie', stringifySetCookie(name, value, options));
}

/** Deletes the cookie. */
export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  sendSessionCookie(request, reply, { token: '', seconds: 0 });
}

function isSecure({ raw, server }: FastifyRequest): boolean {
  return server.transport.isSecureRequest(raw);
}

/** The port in a `Host` header; the default one if absent. */
function portOf(host: string): string {
  return /:(\d{1,5})$/.exec(host)?.[1] ?? '80';
}
