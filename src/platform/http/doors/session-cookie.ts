import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The cookie in which browsers keep the token of their session. Over TLS its name makes browsers refuse one that another
 * host, or a page without TLS, would put in its place. Without TLS the name has the port, since cookies know none: servers
 * on one machine would sign each other's people out.
 */
function cookieName(request: FastifyRequest): string {
  return isSecure(request) ? '__Host-parley' : `parley_${portOf(request.host)}`;
}

/** The text of the cookie; undefined where the browser sent none. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : parseCookie(cookie)[cookieName(request)];
}

/** Has the browser keep the cookie for so long; nothing that runs in a page can read it. */
export function sendSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  session: { readonly token: string; readonly seconds: number },
): void {
  const cookie = stringifySetCookie(cookieName(request), session.token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(request),
    maxAge: session.seconds,
  });
  void reply.header('set-cookie', cookie);
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
