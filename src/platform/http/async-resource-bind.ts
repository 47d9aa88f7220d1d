import { AsyncResource } from 'node:async_hooks';

/**
 * Makes `AsyncResource.prototype.bind` cheap where Node still equips every bound function with the
 * deprecated `asyncResource` property (DEP0172). Nest binds once for each interceptor and handler,
 * Fastify once for each parsed body, and building that property costs more than all the rest of those
 * calls. See docs/decisions/0005-async-resource-bind.md. Import this file before anything else.
 */

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Does what the native method does, without the deprecated property. */
export function bindOnly(this: AsyncResource, fn: AnyFunction, thisArg?: unknown): AnyFunction {
  if (typeof fn !== 'function') {
    throw Object.assign(new TypeError('The "fn" argument must be of type function.'), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
  }
  const resource = this; // eslint-disable-line @typescript-eslint/no-this-alias -- the bound function has a receiver of its own
  const bound: AnyFunction =
    thisArg === undefined
      ? function (...args) {
          return resource.runInAsyncScope(fn, this, ...args);
        }
      : resource.runInAsyncScope.bind(resource, fn, thisArg);
  return Object.defineProperty(bound, 'length', { configurable: true, value: fn.length });
}

/** Whether this version of Node adds the deprecated property. */
export function addsDeprecatedProperty(): boolean {
  const bound = new AsyncResource('probe').bind(() => undefined);
  return Object.getOwnPropertyDescriptor(bound, 'asyncResource') !== undefined;
}

if (addsDeprecatedProperty()) {
  AsyncResource.prototype.bind = bindOnly as typeof AsyncResource.prototype.bind;
}
