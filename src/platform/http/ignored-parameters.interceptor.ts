import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { tap, type Observable } from 'rxjs';
import { MultipartBody } from './body/multipart-body';
import { isMainInterface } from './paths';
import { sentParameters } from './request';

/**
 * Notes the parameters that were sent but are not supported, for the envelope to name them on every success of the main
 * interface (spec, Wire conventions 6).
 */
@Injectable()
export class IgnoredParametersInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!isMainInterface(request.url)) return next.handle();
    const note = (): void => {
      request.ignoredParameters = unsupported(request);
    };
    // Of a form with a file, those beside the file come to light only while the handler reads it.
    if (request.body instanceof MultipartBody) return next.handle().pipe(tap(note));
    note();
    return next.handle();
  }
}

/** Their names, sorted. */
function unsupported(request: FastifyRequest): string[] {
  const names: string[] = [];
  for (const name of sentParameters(request).keys()) {
    if (!request.supportedParameters?.has(name)) names.push(name);
  }
  return names.sort();
}
