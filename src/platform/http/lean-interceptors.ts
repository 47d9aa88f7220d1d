import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer';
import { isObservable, mergeMap, type Observable } from 'rxjs';

/**
 * An interceptor that acts before the handler, or on its result. If a route has no others, they run without observables
 * and without binding functions to the asynchronous context, which would cost more than all the rest of a small request
 * (docs/decisions/0005-lean-interceptors.md).
 */
export abstract class LeanInterceptor implements NestInterceptor {
  /** Runs after the guards, before the handler's arguments are created. */
  before?(context: ExecutionContext): void;

  /**
   * Does not run if the handler failed.
   * @returns the new result, or a promise of it
   */
  abstract after(result: unknown, context: ExecutionContext): unknown;

  /** Used by Nest when other interceptors are present. */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    this.before?.(context);
    return next.handle().pipe(mergeMap(async (result: unknown) => this.after(result, context)));
  }
}

// eslint-disable-next-line @typescript-eslint/unbound-method -- always called with its receiver
const interceptOfNest = InterceptorsConsumer.prototype.intercept;

/** Makes Nest run lean interceptors directly. A route with any other interceptor is left to Nest. */
export function runLean(): void {
  InterceptorsConsumer.prototype.intercept = interceptLean;
}

const interceptLean: typeof interceptOfNest = async function (
  this: InterceptorsConsumer,
  interceptors,
  args,
  instance,
  callback,
  next,
  type,
) {
  if (!areLean(interceptors)) {
    return interceptOfNest.call(this, interceptors, args, instance, callback, next, type);
  }
  const context = this.createContext(args, instance, callback);
  context.setType(type ?? 'http');
  for (const interceptor of interceptors) interceptor.before?.(context);
  const result = await next();
  const answer = (value: unknown) => afterAll(interceptors, value, context);
  return isObservable(result) ? result.pipe(mergeMap(answer)) : answer(result);
};

function areLean(interceptors: readonly NestInterceptor[]): interceptors is readonly LeanInterceptor[] {
  return interceptors.every((interceptor) => interceptor instanceof LeanInterceptor);
}

/** The outermost one is first in the list, and runs last. */
async function afterAll(
  interceptors: readonly LeanInterceptor[],
  result: unknown,
  context: ExecutionContext,
): Promise<unknown> {
  let value = result;
  for (let at = interceptors.length - 1; at >= 0; at--) {
    const next = (interceptors[at] as LeanInterceptor).after(value, context);
    value = next instanceof Promise ? await next : next;
  }
  return value;
}
