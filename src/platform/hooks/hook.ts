/** Carries the types of a hook or port; no value has this key. */
declare const signature: unique symbol;

/**
 * A moment at which other features may act or answer, declared by the feature that knows when it occurs. Searching for
 * its name finds the place that runs it and every listener.
 */
export interface Hook<Arguments extends readonly unknown[], Answer = void> {
  readonly name: string;
  readonly [signature]?: (...args: Arguments) => Answer;
}

/**
 * Declares a hook, in the `.hooks.ts` file of a feature.
 * @param name the name of the constant, for error messages
 */
export function defineHook<Arguments extends readonly unknown[], Answer = void>(
  name: string,
): Hook<Arguments, Answer> {
  return { name };
}

/** An interface that one feature needs and exactly one feature above it implements. */
export interface Port<Service extends object> {
  readonly name: string;
  readonly [signature]?: Service;
}

/**
 * Declares a port, in the `.hooks.ts` file of a feature.
 * @param name the name of the constant, for error messages
 */
export function definePort<Service extends object>(name: string): Port<Service> {
  return { name };
}
