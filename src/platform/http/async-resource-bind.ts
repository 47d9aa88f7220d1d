import { AsyncResource } from 'node:async_hooks';

/**
 * Makes `AsyncResource.prototype.bind` cheap where Node still equips every bound function with the
 * deprecated `asyncResource` property (DEP0172). Nest binds once for each interceptor and handler,
 * Fastify once for each body, and making that property costs more than all the rest of those calls.
 * Why, and what is given up: docs/decisions/0005-async-resource-bind.md.
 */

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type Bind = (this: AsyncResource, fn: AnyFunction, thisArg?: unknown) => AnyFunction;

/** Where the replacement keeps the native method; the process may load this file more than once. */
export const NATIVE_BIND = Symbol.for('parley.nativeBind');

const prototype = AsyncResource.prototype as { bind: Bind & { [NATIVE_BIND]?: Bind } };

/** Whether this version of Node adds the deprecated property. */
function addsDeprecatedProperty(): boolean {
  const bound = new AsyncResource('probe').bind(() => undefined);
  return Object.getOwnPropertyDescriptor(bound, 'asyncResource') !== undefined;
}

/** Does what the native method does, without the deprecated property. */
function bindOnly(native: Bind): Bind {
  return function bind(fn, thisArg) {
    if (typeof fn !== 'function') {
      return native.call(this, fn, thisArg); // throws
    }
    const runInAsyncScope = this.runInAsyncScope.bind(this);
    const bound: AnyFunction =
      thisArg === undefined
        ? function (...args) {
            return runInAsyncScope(fn, this, ...args);
          }
        : (...args) => runInAsyncScope(fn, thisArg, ...args);
    return Object.defineProperty(bound, 'length', { configurable: true, value: fn.length });
  };
}

if (addsDeprecatedProperty()) {
  const native = prototype.bind;
  prototype.bind = Object.assign(bindOnly(native), { [NATIVE_BIND]: native });
}
