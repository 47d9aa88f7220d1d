import type { FastifyReply } from 'fastify';

/** A path on this server: one slash, and nothing after it that any parser would read as a host. */
const OWN_PATH = /^\/(?![/\\])[\x21-\x7e]*$/;

/** No page has a longer URL. */
const MAX_LENGTH = 2_000;

/** The page to open after sign-in: the requested one, if it is on this server. */
export function nextPage(wanted: string | undefined): string {
  const isOwn = wanted !== undefined && wanted.length <= MAX_LENGTH && OWN_PATH.test(wanted);
  return isOwn ? wanted : '/';
}

/** Redirects the browser instead of showing a page. */
export function lead(reply: FastifyReply, path: string, status: 302 | 303 = 302): string {
  void reply.code(status).header('location', path);
  return '';
}
