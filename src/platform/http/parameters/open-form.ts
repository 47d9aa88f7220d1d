import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { MultipartBody } from '../body/multipart-body';
import { bodyLimits } from '../body/unread-body';
import { openUploads, uploadMessagesOf, type UploadMessages } from '../body/upload.decorator';
import type { DtoClass } from './parameter.decorator';
import { parametersOf, supportedNames } from './parameters.decorator';

/** What the declarations of a route say about its parameters. */
export interface RouteParameters {
  readonly supported: ReadonlySet<string>;
  readonly upload: UploadMessages | null;
}

const routes = new WeakMap<object, RouteParameters>();

/** The parameters of the called route. */
export function routeParameters(context: ExecutionContext): RouteParameters {
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

/** Reads a form with files as far as the called route needs before its handler runs. @throws ApiError */
export async function openForm(
  request: FastifyRequest,
  form: MultipartBody,
  context: ExecutionContext,
): Promise<void> {
  const { supported, upload } = routeParameters(context);
  const file = await form.open(upload && { ...upload, parameters: supported }, bodyLimits(request));
  if (file !== null) openUploads.set(request, file);
}
