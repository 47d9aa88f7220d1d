import type { FastifyRequest } from 'fastify';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { TestRequestRefused } from './test-request-refused';

/**
 * Checks what was sent. Not by Fastify, which would load the checker at the start: a server that is only talked to is there the
 * sooner.
 * @param isText whether numbers come as texts
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

/** What is wrong, and where, such as `messages[1].sender must be string`. */
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

/** Where the routes of the test interface begin. */
export const TEST_ROUTES = '/test';

/** Whether a request is for the test interface. */
export function isTestRoute({ url }: FastifyRequest): boolean {
  return url.startsWith(`${TEST_ROUTES}/`);
}
