import { Injectable, StreamableFile, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimitHit } from '../errors/request.errors';
import { sendError } from './api-error.filter';
import { CSRF_FIELD, isMainInterface } from './doors/door';
import { MultipartBody } from './body/multipart-body';
import { sentParameters } from './body/sent-parameters';
import { LargeAnswer, textOrStream } from './large-answer';
import { LeanInterceptor } from './lean-interceptors';
import { mayBeLarge, SharedJson, successPieces, successText } from './success-envelope';

/**
 * Puts the result of a handler of the main interface (the keys of its endpoint, or nothing) into the success envelope;
 * the answer is always HTTP 200 (WIRE-5a), but for files, for what only leads to one, and for what another protocol asks for. Errors never come here: the
 * error filter answers them.
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

/** An answer of the main interface without an envelope or any other content: another protocol asks for it. */
export class BareAnswer {
  constructor(
    private readonly status: number,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  sendWith(reply: FastifyReply): void {
    reply.code(this.status).headers(this.headers);
  }
}

/**
 * The answer of the main interface to a request whose client may have to wait. It is sent once.
 */
export class LaterAnswer<Result extends object = object> {
  constructor(private readonly reply: FastifyReply) {}

  /** What is answered. */
  get request(): FastifyRequest {
    return this.reply.request;
  }

  /** Whether the client has gone, so that an answer would reach no one. */
  get isUnwanted(): boolean {
    return this.reply.raw.destroyed;
  }

  /** Calls back once: when the client goes, or when it has its answer. */
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

/** Status of an answer without content that has an address in `location`; see `@HttpCode(302)`. */
const LEADS_ELSEWHERE = 302;

/**
 * Notes the parameters that were sent but are not supported, for the envelope to name them on every success of the main
 * interface (WIRE-6).
 */
@Injectable()
export class IgnoredParametersInterceptor extends LeanInterceptor {
  override before(context: ExecutionContext): void {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!isMainInterface(request.url)) return;
    request.ignoredParameters = unsupported(request);
  }

  /** In a form with a file, parameters beside the file come to light only while the handler reads it. */
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

/** Large answers that one caller may be in the middle of. Each holds what it is made of, up to some megabytes. */
const LARGE_AT_ONCE = 10;

/** Makes the answers of the main interface to what succeeded: always HTTP 200 (WIRE-5a), in the envelope. */
export class SuccessAnswers {
  /** How many large answers are being sent, by their callers. */
  private readonly large = new Map<string, number>();

  /**
   * Prepares the reply for what is to be sent.
   * @param result the keys of the endpoint
   * @throws RateLimitHit for a caller who asks for more before taking what there is
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
