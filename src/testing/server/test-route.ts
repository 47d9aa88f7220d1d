import type { FastifyRequest } from 'fastify';

/** Where the routes of the test interface begin. */
export const TEST_ROUTES = '/test';

/** Whether a request is for the test interface. */
export function isTestRoute({ url }: FastifyRequest): boolean {
  return url.startsWith(`${TEST_ROUTES}/`);
}
