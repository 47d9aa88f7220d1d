import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessPolicy } from './access.guard';
import { MultipartBody } from './body/multipart-body';
import { UrlEncodedBody } from './body/sent-parameters';
import { readBody, UnreadBody } from './body/unread-body';
import { openUploads } from './body/upload.decorator';
import { isMainInterface } from './doors/door';
import { FORM_METHODS, type GuessedMethod, guessedMethod, routeAs } from './methods';
import { openForm } from './parameters/open-form';

/** A request that another reply answers. */
const NEVER = new Promise<never>(() => undefined);

/**
 * Treats a form of the main interface that was posted with a field `method` as a request of that method, as Zulip's web
 * client sends it. The field is no parameter then. It runs once the caller is known, and before anything that only the
 * route that was asked for decides.
 */
@Injectable()
export class FormMethodGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const guess = guessedMethod(request);
    if (guess === undefined && !mayAsk(request)) return true;
    // The guard of access refuses them.
    const { public: isPublic, optionalCredentials } = accessPolicy(context);
    if (request.actor === null && !isPublic && !optionalCredentials) return true;
    return follow(request, http.getResponse<FastifyReply>(), context, guess);
  }
}

/** Of forms with files, only those are read here that nothing else can be made of. */
function mayAsk({ method, url, body }: FastifyRequest): boolean {
  return method === 'POST' && body instanceof UnreadBody && isMainInterface(url);
}

async function follow(
  request: FastifyRequest,
  reply: FastifyReply,
  context: ExecutionContext,
  guess: GuessedMethod | undefined,
): Promise<boolean> {
  let method: string | undefined;
  try {
    method = await methodIn(request, context);
  } catch {
    // The guard of parameters says what is wrong, once the request was counted.
    return true;
  }
  const { body } = request;
  if (guess === undefined) {
    if (method === undefined || !FORM_METHODS.includes(method)) return true;
    if (body instanceof UrlEncodedBody) body.fields.delete('method');
    routeAs(method, request, reply);
    return NEVER;
  }
  // The web client sends PATCH alone with a file, and the field behind it.
  const isFinal = method === request.method || openUploads.has(request);
  if (!isFinal) {
    if (method === undefined || !guess.methods.includes(method)) throw guess.refusal;
    routeAs(method, request, reply);
    return NEVER;
  }
  if (body instanceof UrlEncodedBody) body.fields.delete('method');
  if (body instanceof MultipartBody) body.requireMethod(request.method, guess.refusal);
  return true;
}

/** The field `method` of the form, or of what stands before its file. @throws ApiError where the form cannot be read */
async function methodIn(request: FastifyRequest, context: ExecutionContext): Promise<string | undefined> {
  if (request.body instanceof MultipartBody) await openForm(request, request.body, context);
  else await readBody(request);
  const { body } = request;
  return body instanceof UrlEncodedBody || body instanceof MultipartBody
    ? body.fields.get('method')
    : undefined;
}
