import { isUtf8 } from 'node:buffer';
import { BadRequest } from '../../errors/shared.errors';
import type { RequestLimits } from './request-limits';

/** A field `method` in the text of a form, with what stands before it; its values are never escaped. */
const METHOD_FIELDS = /(?:^|(?<=&))method=[A-Za-z]*(?=&|$)/g;

/** A form body as it came; decoded only once somebody asks, so that refused callers cost nothing. */
export class UrlEncodedBody {
  constructor(private readonly bytes: Buffer) {}

  /** In bytes. */
  get length(): number {
    return this.bytes.length;
  }

  /** The field `method`, of several the last; null where there is none. */
  get method(): string | null {
    if (!this.bytes.includes('method=')) return null;
    return this.bytes.toString('latin1').match(METHOD_FIELDS)?.at(-1)?.split('=')[1] ?? null;
  }

  /** The form without that field. */
  withoutMethod(): Buffer {
    return Buffer.from(this.bytes.toString('latin1').replace(METHOD_FIELDS, ''), 'latin1');
  }

  /** @throws BadRequest when the text is no form, or too much of one. */
  fields(limits: RequestLimits): Iterable<readonly [string, string]> {
    if (!isUtf8(this.bytes)) {
      throw new BadRequest('Request body is not valid UTF-8');
    }
    return parseUrlEncoded(this.bytes.toString('utf8'), limits);
  }
}

/**
 * Reads `name=value&...` text. Unlike the lenient parsers at hand it refuses escapes that are broken or
 * no UTF-8, instead of storing something the sender did not write.
 * @throws BadRequest
 */
export function parseUrlEncoded(text: string, limits: RequestLimits): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  // Empty ones are counted, too: cutting off millions of them would take as long as reading them.
  const parts = text.split('&', limits.parameters + 1);
  if (parts.length > limits.parameters) throw tooManyParameters(limits);
  for (const part of parts) {
    const equals = part.indexOf('=');
    if (part.length === 0 || equals === 0) {
      continue;
    }
    const name = decode(equals < 0 ? part : part.slice(0, equals), 'parameter name');
    const value = equals < 0 ? '' : decode(part.slice(equals + 1), name);
    if (value.length * 3 > limits.parameterBytes && Buffer.byteLength(value) > limits.parameterBytes) {
      throw parameterTooLong(name, limits);
    }
    checkParameterName(name);
    pairs.push([name, value]);
  }
  return pairs;
}

/** Names that mean something to JavaScript objects; the interface has no parameters called so. */
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

function decode(text: string, at: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) {
    return spaced;
  }
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new BadRequest(`${at} is not valid URL-encoded UTF-8`);
  }
}
