import { type ExecutionContext, Injectable, StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimitHit } from '../errors/request.errors';
import { sendError } from './api-error.filter';
import { CSRF_FIELD, isMainInterface } from './doors/door';
import { MultipartBody } from './body/multipart-body';
import { sentParameters } from './body/sent-parameters';
import { LargeAnswer, textOrStream } from './large-answer';
import { LeanInterceptor } from './lean-interceptors';

/** Texts and lists up to this size are small: such an answer is built at once. */
const SMALL_TEXT = 64 * 1024;
const SMALL_LIST = 16;
const SMALL_MAP = 64;

/**
 * JSON text that is ready to be sent: a value in a handler's result, or the whole result, copied into the answer
 * unchanged. Lists stored as text need not be serialized again. The type argument describes the text, for the API
 * description.
 */
export class RawJson<T = unknown> {
  /** @param text valid JSON; not checked */
  constructor(readonly text: string) {}

  /** Anywhere but at the top level of a result, the text is parsed again: correct, but slow. */
  toJSON(): T {
    return JSON.parse(this.text) as T;
  }
}

/** JSON text of a whole result that goes to many callers: the answer is built once for all of them. */
export class SharedJson<T = unknown> extends RawJson<T> {
  private success: string | undefined;

  /** The JSON text of the answer to callers whose parameters are all supported. */
  get successText(): string {
    this.success ??= successText({ result: this, ignored: [] });
    return this.success;
  }
}

/** The handler's result, and the names of parameters that were sent but are not supported. */
export interface Success {
  /** The keys of the endpoint, if it has any; `msg` may be one of them. */
  readonly result: object;
  /** The corresponding key is omitted if there are none (WIRE-6). */
  readonly ignored: readonly string[];
}

/** The JSON text of a successful answer of the main interface. */
export function successText({ result, ignored }: Success): string {
  const members = stringifyMembers(result);
  const own = members === '{}' ? '' : `,${members.slice(1, -1)}`;
  return `${beginning(result)}${own}${ending(ignored)}`;
}

/** The same in pieces: one entry of a list or map at a time. */
function* successPieces({ result, ignored }: Success): Generator<string> {
  yield beginning(result);
  if (result instanceof RawJson) {
    if (result.text !== '{}') yield `,${result.text.slice(1, -1)}`;
  } else {
    for (const [key, value] of Object.entries(result as Readonly<Record<string, unknown>>)) {
      yield* memberPieces(`,${JSON.stringify(key)}:`, value);
    }
  }
  yield ending(ignored);
}

/** Whether the text may be so long that building it in pieces pays off. A cheap estimate. */
function mayBeLarge(result: object): boolean {
  if (result instanceof RawJson) return result.text.length > SMALL_TEXT;
  return Object.values(result as Readonly<Record<string, unknown>>).some(isLargeValue);
}

function beginning(result: object): string {
  return `{"result":"success"${'msg' in result ? '' : ',"msg":""'}`;
}

function ending(ignored: readonly string[]): string {
  const names = ignored.length === 0 ? '' : `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}`;
  return `${names}}\n`;
}

/**
 * Like `JSON.stringify` of an object, but copies the text of each {@link RawJson}: the object itself, or a value of one
 * of its keys.
 */
function stringifyMembers(members: object): string {
  if (members instanceof RawJson) return members.text;
  const entries = Object.entries(members as Readonly<Record<string, unknown>>);
  if (!entries.some(([, value]) => value instanceof RawJson)) {
    return JSON.stringify(members);
  }
  const texts: string[] = [];
  for (const [key, value] of entries) {
    const text = value instanceof RawJson ? value.text : (JSON.stringify(value) as string | undefined);
    if (text !== undefined) {
      texts.push(`${JSON.stringify(key)}:${text}`);
    }
  }
  return `{${texts.join(',')}}`;
}

function isLargeValue(value: unknown): boolean {
  if (typeof value === 'string') return value.length > SMALL_TEXT;
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof RawJson) return value.text.length > SMALL_TEXT;
  if (Array.isArray(value)) return value.length > SMALL_LIST;
  return Object.keys(value).length > SMALL_MAP;
}

function* memberPieces(name: string, value: unknown): Generator<string> {
  if (value instanceof RawJson) {
    yield name;
    yield value.text;
  } else if (Array.isArray(value)) {
    yield `${name}[`;
    let comma = '';
    for (const item of value as readonly unknown[]) {
      yield `${comma}${jsonOf(item) ?? 'null'}`;
      comma = ',';
    }
    yield ']';
  } else if (typeof value === 'object' && value !== null && !('toJSON' in value)) {
    yield `${name}{`;
    let comma = '';
    for (const [key, item] of Object.entries(value)) {
      const text = jsonOf(item);
      if (text === undefined) continue;
      yield `${comma}${JSON.stringify(key)}:${text}`;
      comma = ',';
    }
    yield '}';
  } else {
    const text = jsonOf(value);
    if (text !== undefined) yield `${name}${text}`;
  }
}

/** Undefined for values that JSON cannot express. */
function jsonOf(value: unknown): string | undefined {
  return JSON.stringify(value);
}

/**
 * Puts the result of a handler of the main interface (the keys of its endpoint, or nothing) into the success envelope.
 * The status is always HTTP 200 (WIRE-5a), except for files, redirects to them, and responses that another protocol
 * requires. Errors are handled by the error filter.
 */
@Injectable()
export class ResponseEnvelopeInterceptor extends LeanInterceptor {
  after(result: unknown, context: ExecutionContext): unknown {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (!isMainInterface(request.url)) return result;
    const reply = http.getResponse<FastifyReply>();
    if (result instanceof BareAnswer) return result.sendWith(reply);
    if (result instanceof StreamableFile || reply.statusCode === LEADS_ELSEWHERE) return result;
    if (result instanceof LaterAnswer) return result;
    return request.server.successAnswers.wrap((result as object | undefined) ?? {}, reply);
  }
}

/** An answer of the main interface without an envelope or any other content, required by another protocol. */
export class BareAnswer {
  constructor(
    private readonly status: number,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  sendWith(reply: FastifyReply): void {
    reply.code(this.status).headers(this.headers);
  }
}

/** The answer of the main interface to a request that may have to wait. It is sent once. */
export class LaterAnswer<Result extends object = object> {
  constructor(private readonly reply: FastifyReply) {}

  /** The request to answer. */
  get request(): FastifyRequest {
    return this.reply.request;
  }

  /** Whether the client has disconnected. */
  get isUnwanted(): boolean {
    return this.reply.raw.destroyed;
  }

  /** Calls the listener once: when the client disconnects, or when its answer is sent. */
  onClosed(listener: () => void): void {
    this.reply.raw.on('close', listener);
  }

  /** Sends the result in the success envelope. */
  send(result: Result): void {
    const { reply } = this;
    try {
      void reply.send(reply.server.successAnswers.wrap(result, reply));
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Sends an error. */
  refuse(thrown: unknown): void {
    sendError(thrown, this.reply);
  }
}

/** Status of an answer without content and with a `location`; see `@HttpCode(302)`. */
const LEADS_ELSEWHERE = 302;

/**
 * Collects the parameters that were sent but are not supported, for the envelope of successful answers of the main
 * interface (WIRE-6).
 */
@Injectable()
export class IgnoredParametersInterceptor extends LeanInterceptor {
  override before(context: ExecutionContext): void {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!isMainInterface(request.url)) return;
    request.ignoredParameters = unsupported(request);
  }

  /** In a form with a file, other parameters are known only after the handler has read it. */
  after(result: unknown, context: ExecutionContext): unknown {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (body instanceof MultipartBody) this.before(context);
    return result;
  }
}

/** Their names, sorted. */
function unsupported(request: FastifyRequest): string[] {
  const names: string[] = [];
  for (const name of sentParameters(request).keys()) {
    if (request.supportedParameters?.has(name)) continue;
    if (request.door === null || name !== CSRF_FIELD) names.push(name);
  }
  return names.sort();
}

declare module 'fastify' {
  interface FastifyInstance {
    successAnswers: SuccessAnswers;
  }
}

/** Maximum number of large answers being sent to one caller. Each retains its data, up to some megabytes. */
const LARGE_AT_ONCE = 10;

/** Builds successful answers of the main interface: always HTTP 200 (WIRE-5a), in the envelope. */
export class SuccessAnswers {
  /** Number of large answers being sent, by caller. */
  private readonly large = new Map<string, number>();

  /**
   * Prepares the reply.
   * @param result the keys of the endpoint
   * @throws RateLimitHit for a caller with too many unread large answers
   */
  wrap(result: object, reply: FastifyReply): string | LargeAnswer {
    const { request } = reply;
    const answer = answerOf(result, request.ignoredParameters ?? []);
    if (answer instanceof LargeAnswer) this.count(answer, request);
    reply.code(200).header('content-type', 'application/json; charset=utf-8');
    return answer;
  }

  private count(answer: LargeAnswer, { actor, ip }: FastifyRequest): void {
    const caller = actor === null ? ip : String(actor.userId);
    const others = this.large.get(caller) ?? 0;
    if (others >= LARGE_AT_ONCE) {
      answer.destroy();
      throw new RateLimitHit(1, 'Too many large answers at once. Read those that are on their way first.');
    }
    this.large.set(caller, others + 1);
    answer.once('close', () => {
      const left = (this.large.get(caller) ?? 1) - 1;
      if (left > 0) this.large.set(caller, left);
      else this.large.delete(caller);
    });
  }
}

function answerOf(result: object, ignored: readonly string[]): string | LargeAnswer {
  if (mayBeLarge(result)) return textOrStream(successPieces({ result, ignored }));
  if (result instanceof SharedJson && ignored.length === 0) return result.successText;
  return successText({ result, ignored });
}
