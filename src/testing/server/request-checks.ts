import type { ErrorObject, ValidateFunction } from 'ajv';
import type { FastifyRequest } from 'fastify';

/** A request to the test interface is refused; the message says why. */
export class TestRequestRefused extends Error {
  readonly statusCode = 400;
}

/** The call does not exist; the message lists the existing ones. */
export class NoSuchTestCall extends Error {
  readonly statusCode = 404;

  /** @param known methods and paths */
  constructor({ method, url }: Pick<FastifyRequest, 'method' | 'url'>, known: readonly string[]) {
    super(`There is no ${method} ${url.split('?')[0]}, but ${known.join(', ')}.`);
  }
}

/** The range of `Date`, with some years to spare at both ends. */
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

/**
 * Validates a request. Not through Fastify, which would load the validator at the start and delay servers that do not
 * need it.
 * @param isText whether numbers arrive as text
 */
export function checker<Given>(schema: object, isText = false): (given: unknown) => Given {
  let isValid: ValidateFunction | undefined;
  return (given) => {
    if (!isValid) {
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
      const { Ajv } = require('ajv') as typeof import('ajv');
      isValid = new Ajv({ coerceTypes: isText, verbose: true }).compile(schema);
    }
    if (!isValid(given)) throw new TestRequestRefused((isValid.errors ?? []).map(mistakeIn).join(', '));
    return given as Given;
  };
}

/** The error and its location, such as `messages[1].sender must be string`. */
function mistakeIn({ instancePath, message = '', params, parentSchema }: ErrorObject): string {
  const place =
    instancePath
      .replaceAll(/\/(\d+)/g, '[$1]')
      .replaceAll('/', '.')
      .replace(/^\./, '') || 'it';
  const { additionalProperty, allowedValues } = params as {
    additionalProperty?: string;
    allowedValues?: readonly string[];
  };
  if (additionalProperty !== undefined) {
    const { properties = {} } = parentSchema as { properties?: object };
    return `${place} has no "${additionalProperty}", but ${Object.keys(properties).join(', ')}`;
  }
  if (allowedValues) return `${place} must be ${allowedValues.join(' or ')}`;
  return `${place} ${message}`;
}

/** Path prefix of the test interface. */
export const TEST_ROUTES = '/test';

/** Whether a request is for the test interface. */
export function isTestRoute({ url }: FastifyRequest): boolean {
  return url.startsWith(`${TEST_ROUTES}/`);
}
