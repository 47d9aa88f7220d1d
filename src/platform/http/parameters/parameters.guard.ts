import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MultipartBody } from '../body/multipart-body';
import { bodyLimits, readBody, UnreadBody } from '../body/unread-body';
import { openUploads, type UploadMessages, uploadMessagesOf } from '../body/uploaded-file';
import type { DtoClass } from './parameter.decorator';
import { parametersOf, supportedNames } from './parameters.decorator';
import { accessPolicy } from '../access.guard';
import { sentParameters, UrlEncodedBody } from '../body/sent-parameters';
import { isMainInterface } from '../doors/door';
import { FORM_METHODS, type GuessedMethod, guessedMethod, routeAs } from '../methods';
import { callerOf } from '../decorators';

/** The parameter declarations of a route. */
export interface RouteParameters {
  readonly supported: ReadonlySet<string>;
  readonly upload: UploadMessages | null;
}

const routes = new WeakMap<object, RouteParameters>();

/** The parameters of the called route. */
function routeParameters(context: ExecutionContext): RouteParameters {
  const handler = context.getHandler();
  let route = routes.get(handler);
  if (route === undefined) {
    const controller = context.getClass<object>() as DtoClass;
    route = {
      supported: supportedNames(parametersOf(controller, handler.name)),
      upload: uploadMessagesOf(controller.prototype as object, handler.name),
    };
    routes.set(handler, route);
  }
  return route;
}

/** Reads a form with files as far as the route needs before its handler runs. @throws ApiError */
async function openForm(
  request: FastifyRequest,
  form: MultipartBody,
  context: ExecutionContext,
): Promise<void> {
  const { supported, upload } = routeParameters(context);
  const file = await form.open(upload && { ...upload, parameters: supported }, bodyLimits(request));
  if (file !== null) openUploads.set(request, file);
}

/** For a request that another reply answers. */
const NEVER = new Promise<never>(() => undefined);

/**
 * Treats a form of the main interface that was posted with a field `method` as a request of that method, as Zulip's web
 * client sends it. The field is then not a parameter. It runs once the caller is known, and before all checks that
 * depend on the route.
 */
@Injectable()
export class FormMethodGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const guess = guessedMethod(request);
    if (guess === undefined && !mayAsk(request)) return true;
    // The access guard refuses them.
    const { public: isPublic, optionalCredentials } = accessPolicy(context);
    if (request.actor === null && !isPublic && !optionalCredentials) return true;
    return follow(request, http.getResponse<FastifyReply>(), context, guess);
  }
}

/** Forms with files are read here only if they must select a method. */
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
    // The parameters guard reports the problem, after the request is counted.
    return true;
  }
  const { body } = request;
  if (guess === undefined) {
    if (method === undefined || !FORM_METHODS.includes(method)) return true;
    if (body instanceof UrlEncodedBody) body.fields.delete('method');
    routeAs(method, request, reply);
    return NEVER;
  }
  // The web client sends only PATCH with a file, and the field after it.
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

/** The field `method` of the form, or of the part before its file. @throws ApiError if the form cannot be read */
async function methodIn(request: FastifyRequest, context: ExecutionContext): Promise<string | undefined> {
  if (request.body instanceof MultipartBody) await openForm(request, request.body, context);
  else await readBody(request);
  const { body } = request;
  return body instanceof UrlEncodedBody || body instanceof MultipartBody
    ? body.fields.get('method')
    : undefined;
}

/**
 * Reads bodies, refuses unreadable parameters before they have any effect, and records which of them the route
 * supports. It runs after the guards that identify the caller, which determines how much is read.
 */
@Injectable()
export class ParametersGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    // The caller of such a route is not known yet: its own guard runs after this one.
    if (accessPolicy(context).ownSecret) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.supportedParameters = routeParameters(context).supported;
    const { body } = request;
    if (body instanceof MultipartBody) {
      return openForm(request, body, context).then(() => checkParameters(request, context));
    }
    if (body instanceof UnreadBody) {
      return readBody(request).then(() => checkParameters(request, context));
    }
    return checkParameters(request, context);
  }
}

/** @throws BadRequest */
function checkParameters(request: FastifyRequest, context: ExecutionContext): true {
  const { actor, door } = request;
  const isClientNamed = sentParameters(request).has('client');
  if (isClientNamed && actor !== null && door === null) {
    // The guards that identified the caller ran before the form was read.
    request.actor = { ...actor, clientName: callerOf(request, accessPolicy(context)).clientName };
  }
  return true;
}
