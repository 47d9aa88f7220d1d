import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Name of a cookie of this server; that of the session has no suffix. Over TLS the name makes browsers refuse one that
 * another host, or a page without TLS, would put in its place. Without TLS it has the port, since cookies know none:
 * servers on one machine would sign each other's people out.
 */
export function cookieName(request: FastifyRequest, suffix = ''): string {
  return (isSecure(request) ? '__Host-parley' : `parley_${portOf(request.host)}`) + suffix;
}

/** The cookies that the browser sent, by name. */
export function readCookies(request: FastifyRequest): Readonly<Record<string, string | undefined>> {
  const { cookie } = request.headers;
  return cookie === undefined ? {} : parseCookie(cookie);
}

/** The text of the session's cookie; undefined where the browser sent none. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  return readCookies(request)[cookieName(request)];
}

/** Name of the cookie of a browser in which the second factor is not asked for. */
export function deviceCookieName(request: FastifyRequest): string {
  return cookieName(request, '_device');
}

/** What that cookie has; empty where the browser sent none. */
export function readDeviceCookie(request: FastifyRequest): string {
  return readCookies(request)[deviceCookieName(request)] ?? '';
}

/** Sets the cookie for the lifetime of the session; scripts of pages cannot read it. */
export function sendSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  session: { readonly token: string; readonly seconds: number },
): void {
  sendCookie(request, reply, { name: cookieName(request), value: session.token, seconds: session.seconds });
}

/** Sets a cookie that other sites do not send, except by a link to here; 0 seconds delete it. */
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

/** Has the browser forget the cookie. */
export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  sendSessionCookie(request, reply, { token: '', seconds: 0 });
}

function isSecure({ raw, server }: FastifyRequest): boolean {
  return server.transport.isSecureRequest(raw);
}

/** The port in a `Host` header; the usual one where none is named. */
function portOf(host: string): string {
  return /:(\d{1,5})$/.exec(host)?.[1] ?? '80';
}
