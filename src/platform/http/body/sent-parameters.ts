import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../actor';
import { BadRequest } from '../../errors/shared.errors';
import type { Door } from '../doors/door';
import type { RequestLimits } from './request-limits';

/** Properties that this layer adds to Fastify; prepareFastify() declares them at run time. */
declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, set by the authentication guard; null without credentials. */
    actor: Actor | null;
    /** The session whose token or cookie was sent; null for callers with an API key. */
    sessionId: string | null;
    /** When that session ends unless ended earlier, UNIX seconds. */
    sessionEndsAt: number | null;
    /** Whether the session lacks the second factor that the organization requires. */
    lacksFactor: boolean;
    /** Whether the owner of that session authenticated recently. */
    isRecent: boolean;
    /** Language chosen by the owner of that session; null if none. */
    ownLanguage: string | null;
    /** Language of the organization; null until the request's cookies are read. */
    houseLanguage: string | null;
    /** Where this request may use the cookie of a session; null if nowhere. */
    door: Door | null;
    /** Names of the parameters that the route reads; null until they are determined. */
    supportedParameters: ReadonlySet<string> | null;
    /** Names of the parameters that were sent but are not supported, sorted; null until they are determined. */
    ignoredParameters: readonly string[] | null;
    /** Cache of {@link sentParameters}. */
    parameterTexts: ReadonlyMap<string, string> | null;
  }
  interface FastifyInstance {
    /** Limits for authenticated callers, and of every query string. */
    requestLimits: RequestLimits;
    /** Limits of bodies from callers without credentials. */
    strangerLimits: RequestLimits;
  }
}

/**
 * Every parameter of the request as text: query string and form together. The form takes precedence, and of a repeated
 * name the last value. A body counts as far as it has been read: not at all in guards that run before the caller is
 * known, completely in handlers, and on file routes up to the file.
 * @throws BadRequest when the text is not a form, or has too many or too long parameters
 */
export function sentParameters(request: FastifyRequest): ReadonlyMap<string, string> {
  if (request.body instanceof GrowingForm) {
    return combine(request, request.body.fields);
  }
  request.parameterTexts ??= combine(request, formFields(request));
  return request.parameterTexts;
}

/**
 * A field of a form without files, the last value if repeated. Unlike {@link sentParameters} it ignores the query
 * string, for secrets: URLs end up in histories, in logs of proxies and in `Referer`.
 * @throws BadRequest when the text is not a form, or has too many or too long parameters
 */
export function formField({ body }: FastifyRequest, name: string): string | undefined {
  return body instanceof UrlEncodedBody ? body.fields.get(name) : undefined;
}

type Pairs = Iterable<readonly [string, string]>;

/** A body that is not read yet, or a form that is read piece by piece. */
export abstract class GrowingForm {
  /** The fields read so far; of a repeated name, the last value. */
  abstract readonly fields: ReadonlyMap<string, string>;
}

function combine(request: FastifyRequest, form: Pairs): ReadonlyMap<string, string> {
  const url = request.raw.url ?? '';
  const query = url.indexOf('?');
  const parameters = new Map(
    query < 0 ? [] : parseUrlEncoded(url.slice(query + 1), request.server.requestLimits),
  );
  for (const [name, value] of form) {
    parameters.set(name, value);
  }
  return parameters;
}

function formFields({ body }: FastifyRequest): Pairs {
  return body instanceof UrlEncodedBody ? body.fields : [];
}

/** A form body as it arrived, decoded only on demand, so that refused callers cost nothing. */
export class UrlEncodedBody {
  private decoded: Map<string, string> | null = null;

  constructor(
    private readonly bytes: Buffer,
    private readonly limits: RequestLimits,
  ) {}

  /**
   * The fields; of a repeated name, the last value. @throws BadRequest when the text is not a form, or exceeds the
   * limits
   */
  get fields(): Map<string, string> {
    this.decoded ??= new Map(this.decode());
    return this.decoded;
  }

  private decode(): Pairs {
    if (!isUtf8(this.bytes)) throw new BadRequest('Request body is not valid UTF-8');
    return parseUrlEncoded(spaced(this.bytes), this.limits);
  }
}

const PLUS = 0x2b;
const SPACE = 0x20;

/**
 * The text with every `+` replaced by a space. Replacing millions of them in a string would take a hundred times as
 * long.
 */
function spaced(bytes: Buffer): string {
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = SPACE;
  return bytes.toString('utf8');
}

/**
 * Parses `name=value&...` text. Unlike lenient parsers it refuses escapes that are broken or not UTF-8, instead of
 * storing something the sender did not write.
 * @throws BadRequest
 */
export function parseUrlEncoded(text: string, limits: RequestLimits): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  // Empty ones count too: splitting off millions of them would take as long as reading them.
  const parts = text.split('&', limits.parameters + 1);
  if (parts.length > limits.parameters) throw tooManyParameters(limits);
  for (const part of parts) {
    const equals = part.indexOf('=');
    if (part.length === 0 || equals === 0) {
      continue;
    }
    const end = equals < 0 ? part.length : equals;
    if (end > limits.parameterBytes) throw parameterTooLong('Parameter name', limits);
    const name = decode(part.slice(0, end), 'parameter name');
    // An escape of three characters becomes one byte.
    if (part.length - end > 3 * limits.parameterBytes + 1) throw parameterTooLong(name, limits);
    const value = equals < 0 ? '' : decode(part.slice(equals + 1), name);
    if (value.length * 3 > limits.parameterBytes && Buffer.byteLength(value) > limits.parameterBytes) {
      throw parameterTooLong(name, limits);
    }
    checkParameterName(name);
    pairs.push([name, value]);
  }
  return pairs;
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

/** Names with a meaning for JavaScript objects; no parameter of the interface uses them. */
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** @throws BadRequest */
export function checkParameterName(name: string): void {
  if (FORBIDDEN_NAMES.has(name) || name.includes('\0')) {
    throw new BadRequest(`Invalid parameter name ${JSON.stringify(name)}`);
  }
}

/** The error for a body or query with too many parameters. */
export function tooManyParameters(limits: RequestLimits): BadRequest {
  return new BadRequest(`Too many parameters (limit: ${limits.parameters})`);
}

/** The error for a parameter that is too long. */
export function parameterTooLong(name: string, limits: RequestLimits): BadRequest {
  return new BadRequest(`${name} is too long (limit: ${limits.parameterBytes} bytes)`);
}
