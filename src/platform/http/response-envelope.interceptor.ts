import {
  Injectable,
  StreamableFile,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { isMainInterface } from './paths';
import { successEnvelope } from './success-envelope';

/**
 * Puts what a handler of the main interface returns (the keys of its endpoint, or nothing) into the success envelope; the
 * answer is always HTTP 200 (spec, Wire conventions 5). Errors never come here: they are the error filter's.
 */
@Injectable()
export class ResponseEnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (!isMainInterface(request.url)) return next.handle();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(map((result: unknown) => wrap(result, request, reply)));
  }
}

function wrap(result: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
  if (result instanceof StreamableFile) return result;
  reply.code(200).header('content-type', 'application/json; charset=utf-8');
  return successEnvelope(result as object | undefined, request.ignoredParameters ?? []);
}
