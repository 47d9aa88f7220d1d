import type { FastifyReply } from 'fastify';

/** A path of this server: one slash, and nothing after it that makes the rest a host in any reading. */
const OWN_PATH = /^\/(?![/\\])[\x21-\x7e]*$/;

/** Longer addresses are of no page. */
const MAX_LENGTH = 2_000;

/** The page to open after sign-in: the requested one, if it is on this server. */
export function nextPage(wanted: string | undefined): string {
  const isOwn = wanted !== undefined && wanted.length <= MAX_LENGTH && OWN_PATH.test(wanted);
  return isOwn ? wanted : '/';
}

/** Leads the browser elsewhere instead of showing a page. */
export function lead(reply: FastifyReply, path: string, status: 302 | 303 = 302): string {
  void reply.code(status).header('location', path);
  return '';
}
