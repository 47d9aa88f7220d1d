import type { NestInterceptor, Type } from '@nestjs/common';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer';
import { defer, from, isObservable, mergeAll, type Observable } from 'rxjs';

/**
 * Makes Nest run the named interceptors without binding a function to the asynchronous context for each of them, which
 * costs more than all the rest of a small request (docs/decisions/0005-lean-interceptors.md). A route with any other
 * interceptor is left to Nest.
 * @param known may not rely on `AsyncLocalStorage`
 */
export function runLean(known: readonly Type<NestInterceptor>[]): void {
  for (const interceptor of known) lean.add(interceptor);
  InterceptorsConsumer.prototype.intercept = intercept;
}

const lean = new Set<unknown>();
// eslint-disable-next-line @typescript-eslint/unbound-method -- always called with its receiver
const interceptOfNest = InterceptorsConsumer.prototype.intercept;

const intercept: typeof interceptOfNest = async function (
  this: InterceptorsConsumer,
  interceptors,
  args,
  instance,
  callback,
  next,
  type,
) {
  if (!interceptors.every((interceptor) => lean.has(interceptor.constructor))) {
    return interceptOfNest.call(this, interceptors, args, instance, callback, next, type);
  }
  if (interceptors.length === 0) return next();
  const context = this.createContext(args, instance, callback);
  context.setType(type ?? 'http');
  const handle = (index: number): Observable<unknown> => {
    const interceptor = interceptors[index];
    if (!interceptor) return defer(next);
    const outcome = interceptor.intercept(context, { handle: () => handle(index + 1) });
    return isObservable(outcome) ? outcome : from(outcome).pipe(mergeAll());
  };
  return handle(0);
};
