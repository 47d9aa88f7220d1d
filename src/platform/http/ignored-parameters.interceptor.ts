import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { MultipartBody } from './body/multipart-body';
import { openUploads, uploadMessagesOf, type UploadMessages } from './body/upload.decorator';
import { type DtoClass } from './parameters/declared-parameters';
import { parametersOf, supportedNames } from './parameters/parameters.decorator';
import { isMainInterface } from './paths';
import { sentParameters } from './request';

/** What the declarations of a route say about its parameters. */
interface RouteParameters {
  readonly supported: ReadonlySet<string>;
  readonly upload: UploadMessages | null;
}

/**
 * Names, on every success of the main interface, the parameters that were sent but are not supported
 * (spec, Wire conventions 6): sorted, each once, the key left out when there are none. It is also where
 * a multipart form is read, the caller being known by now.
 */
@Injectable()
export class IgnoredParametersInterceptor implements NestInterceptor {
  private readonly routes = new WeakMap<object, RouteParameters>();

  intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const route = this.routeParameters(context);
    return request.body instanceof MultipartBody
      ? this.readForm(request, request.body, route).then(() => this.report(request, route, next))
      : this.report(request, route, next);
  }

  private async readForm(
    request: FastifyRequest,
    form: MultipartBody,
    route: RouteParameters,
  ): Promise<void> {
    if (route.upload === null) {
      await form.readFields();
      return;
    }
    const file = await form.openFile({ several: route.upload.several, parameters: route.supported });
    if (file !== null) {
      openUploads.set(request, file);
    }
  }

  private report(request: FastifyRequest, route: RouteParameters, next: CallHandler): Observable<unknown> {
    // Looked at before the handler runs, so that a form that cannot be read changes nothing.
    const ignored = ignoredNames(request, route);
    if (!isMainInterface(request.url) || (ignored.length === 0 && route.upload === null)) {
      return next.handle();
    }
    return next.handle().pipe(
      map((result: unknown) => {
        const names = route.upload === null ? ignored : ignoredNames(request, route);
        return names.length === 0
          ? result
          : { ...(result as object | undefined), ignored_parameters_unsupported: names };
      }),
    );
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

/** Names sent but not supported; for file routes those beside the file come to light once it is read. */
function ignoredNames(request: FastifyRequest, { supported }: RouteParameters): string[] {
  const names: string[] = [];
  for (const name of sentParameters(request).keys()) {
    if (!supported.has(name)) {
      names.push(name);
    }
  }
  return names.sort();
}
