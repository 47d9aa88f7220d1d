import { type INestApplicationContext, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { MetadataScanner, ModulesContainer, NestFactory } from '@nestjs/core';
import { AppModule } from '../src/app.module';
import { Clock } from '../src/platform/clock';
import { loadConfig } from '../src/platform/config/load-config';
import { type AccessPolicy, accessPolicy, neededScope } from '../src/platform/http/access.guard';
import { declaredParameters, type DtoClass } from '../src/platform/http/parameters/parameter.decorator';
import { parametersOf, supportedNames } from '../src/platform/http/parameters/parameters.decorator';

/** A route of the application, and its callers. */
export interface Route {
  /** HTTP method. */
  readonly verb: string;
  /** Full path; parameters are in braces, as in `/api/v1/users/{user_id}`. */
  readonly path: string;
  readonly policy: AccessPolicy;
  readonly controller: DtoClass;
  /** The controller method that handles it. */
  readonly handler: string;
  /** Names that it reads from the query string or form. */
  readonly parameters: readonly string[];
}

/** The routes of the program with only its own modules; nothing is connected or started. */
export async function currentRoutes(): Promise<Route[]> {
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(loadConfig({}), new Clock()), {
    preview: true,
    logger: ['error'],
  });
  return routesOf(app);
}

/** Every route that the controllers of an application declare, by path. */
export function routesOf(app: INestApplicationContext): Route[] {
  const modules = [...app.get(ModulesContainer).values()];
  const controllers = modules.flatMap((module) => [...module.controllers.values()]);
  return controllers
    .flatMap(({ metatype }) => (metatype === null ? [] : routesOfController(metatype as Type)))
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

function routesOfController(controller: Type): Route[] {
  const prototype = controller.prototype as Record<string, () => unknown>;
  const prefix = Reflect.getMetadata(PATH_METADATA, controller) as string;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name] as () => unknown;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) return [];
    const path = Reflect.getMetadata(PATH_METADATA, handler) as string;
    const policy = accessPolicy({ getHandler: () => handler, getClass: <T>() => controller as Type<T> });
    const parameters = [...supportedNames(parametersOf(controller as DtoClass, name))];
    const served = { controller: controller as DtoClass, handler: name };
    return {
      verb: RequestMethod[method],
      path: readablePath(prefix, path, restOf(controller, name)),
      policy,
      parameters,
      ...served,
    };
  });
}

/**
 * `api/v1/streams` and `:stream_id(\d+)/members` become `/api/v1/streams/{stream_id}/members`.
 * @param rest name for the `*` at the end
 */
function readablePath(prefix: string, path: string, rest: string): string {
  const parts = [prefix, path].flatMap((part) => part.split('/')).filter((part) => part !== '');
  const named = parts.map((part) => (part === '*' ? `{${rest}}` : part));
  return `/${named.map((part) => part.replace(/:(\w+)(\([^)]*\))?/g, '{$1}')).join('/')}`;
}

/** The parameter for a `*`: the only one in the path of such a route. */
function restOf(controller: Type, handler: string): string {
  const dto = parametersOf(controller as DtoClass, handler);
  const inPath = (dto ? declaredParameters(dto) : []).filter((parameter) => parameter.inPath);
  return inPath[0]?.property ?? '*';
}

function sortKey({ verb, path }: Route): string {
  return `${path} ${verb}`;
}

const SCHEMES = { bearer: 'token', session: 'session', key: 'key of a bot' } as const;

/** Who may call a route, in words. Services may refuse more than routes do, never less. */
export function who(policy: AccessPolicy): string {
  if (policy.ownSecret) return 'own secret';
  if (policy.public) return 'public';
  const restrictions = [
    policy.scheme === 'basic' ? null : SCHEMES[policy.scheme],
    policy.optionalCredentials ? 'optional' : null,
    policy.role,
    policy.allowsGuests ? null : 'no-guests',
    policy.allowsBots ? null : 'humans',
  ].filter((restriction) => restriction !== null);
  return restrictions.join(', ') || 'account';
}

/** The scope that named API keys need for a route, or `own key`; empty if it does not accept API keys. */
export function keyScopeOf({ scheme, public: isPublic, keyScope }: AccessPolicy, verb: string): string {
  if (isPublic || scheme === 'bearer' || scheme === 'session') return '';
  return neededScope(keyScope, verb) ?? 'own key';
}
