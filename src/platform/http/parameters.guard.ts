import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { MultipartBody } from './body/multipart-body';
import { openUploads, uploadMessagesOf, type UploadMessages } from './body/upload.decorator';
import { accessPolicy } from './decorators';
import { type DtoClass } from './parameters/parameter.decorator';
import { parametersOf, supportedNames } from './parameters/parameters.decorator';
import { sentParameters } from './body/sent-parameters';

/** What the declarations of a route say about its parameters. */
interface RouteParameters {
  readonly supported: ReadonlySet<string>;
  readonly upload: UploadMessages | null;
}

/**
 * Refuses parameters that cannot be read, before anything happens on their account, and notes which of them the route
 * supports. It stands behind the guards that know the caller, since it is also where a multipart form is read.
 */
@Injectable()
export class ParametersGuard implements CanActivate {
  private readonly routes = new WeakMap<object, RouteParameters>();

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    // Whoever calls such a route is not known yet: its own guard comes after this one.
    if (accessPolicy(context).ownSecret) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const route = this.routeParameters(context);
    request.supportedParameters = route.supported;
    if (request.body instanceof MultipartBody) return readForm(request, request.body, route);
    sentParameters(request);
    return true;
  }

  private routeParameters(context: ExecutionContext): RouteParameters {
    const handler = context.getHandler();
    let route = this.routes.get(handler);
    if (route === undefined) {
      const controller = context.getClass<object>() as DtoClass;
      route = {
        supported: supportedNames(parametersOf(controller, handler.name)),
        upload: uploadMessagesOf(controller.prototype as object, handler.name),
      };
      this.routes.set(handler, route);
    }
    return route;
  }
}

async function readForm(
  request: FastifyRequest,
  form: MultipartBody,
  { supported, upload }: RouteParameters,
): Promise<boolean> {
  if (upload === null) {
    await form.readFields();
  } else {
    const file = await form.openFile({ several: upload.several, parameters: supported });
    if (file !== null) openUploads.set(request, file);
  }
  sentParameters(request);
  return true;
}
