import { BadRequest } from '../../errors/shared.errors';

/** How much of a request is read. */
export interface RequestLimits {
  /** Largest body, uploaded files apart, in bytes. */
  readonly bodyBytes: number;
  /** Most parameters, in the query string and in the body each. */
  readonly parameters: number;
  /** Largest single parameter, in bytes. */
  readonly parameterBytes: number;
}

/** Limits of routes that ask for no others. */
export const DEFAULT_REQUEST_LIMITS: RequestLimits = {
  bodyBytes: 4 * 1024 * 1024,
  parameters: 500,
  parameterBytes: 1024 * 1024,
};

/** Names with a meaning for JavaScript objects; no parameter of the interface has such a name. */
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** @throws BadRequest */
export function checkParameterName(name: string): void {
  if (FORBIDDEN_NAMES.has(name) || name.includes('\0')) {
    throw new BadRequest(`Invalid parameter name ${JSON.stringify(name)}`);
  }
}

/** The refusal of a body or query with too many parameters. */
export function tooManyParameters(limits: RequestLimits): BadRequest {
  return new BadRequest(`Too many parameters (limit: ${limits.parameters})`);
}

/** The refusal of a parameter that is too long. */
export function parameterTooLong(name: string, limits: RequestLimits): BadRequest {
  return new BadRequest(`${name} is too long (limit: ${limits.parameterBytes} bytes)`);
}
