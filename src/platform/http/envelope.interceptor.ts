import {
  Injectable,
  StreamableFile,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, tap, type Observable } from 'rxjs';
import { MultipartBody } from './body/multipart-body';
import { sentParameters } from './body/sent-parameters';
import { stringifyMembers } from './raw-json';

/**
 * Puts the result of a handler of the main interface (the keys of its endpoint, or nothing) into the success envelope;
 * the answer is always HTTP 200 (WIRE-5a). Errors never come here: the error filter answers them.
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

/**
 * The JSON text of a success of the main interface.
 * @param result the keys of the endpoint, if it has any; `msg` is one of them where it says something
 * @param ignored names of the parameters that were sent but are not supported; the key is left out when there are
 *   none (WIRE-6)
 */
function successEnvelope(result: object | undefined, ignored: readonly string[]): string {
  const members = stringifyMembers(result ?? {});
  const own = members === '{}' ? '' : `,${members.slice(1, -1)}`;
  const msg = result && 'msg' in result ? '' : ',"msg":""';
  const rest = ignored.length === 0 ? '' : `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}`;
  return `{"result":"success"${msg}${own}${rest}}\n`;
}

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
    if (!request.supportedParameters?.has(name)) names.push(name);
  }
  return names.sort();
}

const MAIN_INTERFACE = '/api/v1/';
const API = '/api/';

/** Whether a URL belongs to the main interface, whose answers have the envelope. */
export function isMainInterface(url: string): boolean {
  return url.startsWith(MAIN_INTERFACE) || normalizedPath(url).startsWith(MAIN_INTERFACE);
}

/** Whether a URL belongs to the main or the companion interface. */
export function isApi(url: string): boolean {
  return url.startsWith(API) || normalizedPath(url).startsWith(API);
}

/** The path as the router sees it (slashes collapsed, escapes decoded, no host), with a slash at its end. */
function normalizedPath(url: string): string {
  const path = url
    .replace(/^https?:\/\/[^/]*/i, '')
    .replace(/[?#].*$/s, '')
    .concat('/')
    .replace(/\/\/+/g, '/');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
