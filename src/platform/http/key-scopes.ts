import type { Caller, KeyScope } from '../actor';
import { InsufficientScope } from '../errors/shared.errors';

/**
 * What a route asks of named keys: the scope for requests that only read, and the one for all others. No scope is enough
 * for what gives or changes credentials.
 */
export type RouteScope = { readonly reads: KeyScope; readonly changes: KeyScope } | 'own key';

/**
 * The scope that a request needs; null where none is enough. So it is for routes that say nothing, too.
 * @param method of the request
 */
export function neededScope(scope: RouteScope | null, method: string): KeyScope | null {
  if (scope === null || scope === 'own key') return null;
  return method === 'GET' || method === 'HEAD' ? scope.reads : scope.changes;
}

/**
 * For the parts of a request that change credentials or roles: refuses named keys of any scope.
 * @throws InsufficientScope
 */
export function requireOwnKey({ limit }: Pick<Caller, 'limit'>): void {
  if (limit) throw new InsufficientScope(null);
}
