import {
  Injectable,
  StreamableFile,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, tap, type Observable } from 'rxjs';
import { CSRF_FIELD } from './doors/door';
import { MultipartBody } from './body/multipart-body';
import { sentParameters } from './body/sent-parameters';
import { isMainInterface } from './interface-paths';
import { LaterAnswer } from './later-answer';

/**
 * Puts the result of a handler of the main interface (the keys of its endpoint, or nothing) into the success envelope;
 * the answer is always HTTP 200 (WIRE-5a), but for files, for what only leads to one, and for what another protocol asks for. Errors never come here: the
 * error filter answers them.
 */
@Injectable()
export class ResponseEnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (!isMainInterface(request.url)) return next.handle();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(map((result: unknown) => this.wrap(result, request, reply)));
  }

  private wrap(result: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
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

/** Status of an answer without content that has an address in `location`; see `@HttpCode(302)`. */
const LEADS_ELSEWHERE = 302;

/**
 * Notes the parameters that were sent but are not supported, for the envelope to name them on every success of the main
 * interface (WIRE-6).
 */
@Injectable()
export class IgnoredParametersInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!isMainInterface(request.url)) return next.handle();
    const note = (): void => {
      request.ignoredParameters = unsupported(request);
    };
    // In a form with a file, parameters beside the file come to light only while the handler reads it.
    if (request.body instanceof MultipartBody) return next.handle().pipe(tap(note));
    note();
    return next.handle();
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
