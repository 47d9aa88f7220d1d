import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { MetadataScanner } from '@nestjs/core';
import { type ModuleDefinition, nestModulesOf, routePrefix } from './module-definition';
import { type AccessPolicy, accessPolicy } from '../http/access.guard';
import {
  type DeclaredParameter,
  declaredParameters,
  type DtoClass,
} from '../http/parameters/parameter.decorator';
import { parametersOf } from '../http/parameters/parameters.decorator';

const KEY = 'parley:about';

/**
 * Describes a route or a parameter of a module in the API description. The program's own routes have docstrings for
 * that, from which the description is generated at build time.
 */
export function About(sentence: string): MethodDecorator & PropertyDecorator {
  return (target: object, key: string | symbol) => Reflect.defineMetadata(KEY, sentence, target, key);
}

/** The {@link About} text of a method or property of a class; empty if it has none. */
function aboutOf(prototype: object, key: string): string {
  return (Reflect.getMetadata(KEY, prototype, key) as string | undefined) ?? '';
}

/** A parameter of a route, with its description. */
export type DescribedParameter = DeclaredParameter & { readonly about: string };

/** A route of a module, as its decorators declare it. */
export interface ModuleRoute {
  /** HTTP method. */
  readonly verb: string;
  /** Parameters are in braces. */
  readonly path: string;
  readonly policy: AccessPolicy;
  /** Class and method of its handler. */
  readonly handler: string;
  readonly about: string;
  readonly parameters: readonly DescribedParameter[];
}

/** Every route in the controllers of a module. */
export function routesOfModule({ name, module }: ModuleDefinition): ModuleRoute[] {
  const controllers = nestModulesOf(module).flatMap(
    (part) => (Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, part) ?? []) as Type[],
  );
  return controllers.flatMap((controller) => routesOfController(routePrefix(name), controller));
}

function routesOfController(prefix: string, controller: Type): ModuleRoute[] {
  const prototype = controller.prototype as Record<string, () => unknown>;
  const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name] as () => unknown;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) return [];
    const path = Reflect.getMetadata(PATH_METADATA, handler) as string;
    const dto = parametersOf(controller as DtoClass, name);
    return {
      verb: RequestMethod[method],
      path: readable(prefix, base, path),
      policy: accessPolicy({ getHandler: () => handler, getClass: <T>() => controller as Type<T> }),
      handler: `${controller.name}.${name}`,
      about: aboutOf(prototype, name),
      parameters: (dto === null ? [] : declaredParameters(dto)).map((parameter) => ({
        ...parameter,
        about: aboutOf(dto?.prototype as object, parameter.property),
      })),
    };
  });
}

/** `api/v1/modules/polls` and `:id(\d+)/votes` make `/api/v1/modules/polls/{id}/votes`. */
function readable(...parts: readonly string[]): string {
  const names = parts.flatMap((part) => part.split('/')).filter((part) => part !== '');
  return `/${names.map((part) => part.replace(/:(\w+)(\([^)]*\))?/g, '{$1}')).join('/')}`;
}

/** Who may call a route, in words. */
export function callersOf({ policy }: ModuleRoute): string {
  if (policy.public) return 'everybody';
  if (policy.optionalCredentials) return 'everybody, with an account or without';
  const who = policy.role ? `${policy.role}s` : 'accounts';
  const except = [policy.allowsGuests ? '' : 'guests', policy.allowsBots ? '' : 'bots'].filter(
    (one) => one !== '',
  );
  return except.length > 0 ? `${who} but ${except.join(' and ')}` : who;
}
