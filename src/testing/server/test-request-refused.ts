import type { FastifyRequest } from 'fastify';

/** A request to the test interface cannot be met; the message says why. */
export class TestRequestRefused extends Error {
  readonly statusCode = 400;
}

/** There is no such call; the message names those that there are. */
export class NoSuchTestCall extends Error {
  readonly statusCode = 404;

  /** @param known methods and paths */
  constructor({ method, url }: Pick<FastifyRequest, 'method' | 'url'>, known: readonly string[]) {
    super(`There is no ${method} ${url.split('?')[0]}, but ${known.join(', ')}.`);
  }
}

/** What `Date` can hold, with some years to spare at both ends. */
const LATEST_MS = 8e15;

/**
 * @param time ISO 8601 or UNIX milliseconds
 * @throws {TestRequestRefused}
 */
export function timeIn(time: string | number): number {
  const ms = typeof time === 'number' ? time : Date.parse(time);
  if (ms >= 0 && ms <= LATEST_MS) return ms;
  throw new TestRequestRefused(`"${String(time).slice(0, 100)}" is no time: say it as 2026-01-31T12:00:00Z.`);
}
