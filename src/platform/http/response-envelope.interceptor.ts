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
import { stringifyMembers } from './raw-json';

/**
 * Wraps what a handler of the main interface returns (the keys of its endpoint, or nothing) into the
 * success envelope; the answer is always HTTP 200 (spec, Wire conventions 5). Errors never come here:
 * they are the error filter's.
 */
@Injectable()
export class ResponseEnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    if (!isMainInterface(http.getRequest<FastifyRequest>().url)) {
      return next.handle();
    }
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(map((result: unknown) => this.wrap(result, reply)));
  }

  private wrap(result: unknown, reply: FastifyReply): unknown {
    if (result instanceof StreamableFile) {
      return result;
    }
    reply.code(200).header('content-type', 'application/json; charset=utf-8');
    const members = stringifyMembers((result ?? {}) as Record<string, unknown>);
    const rest = members === '{}' ? '}' : `,${members.slice(1)}`;
    return `{"result":"success","msg":""${rest}\n`;
  }
}
