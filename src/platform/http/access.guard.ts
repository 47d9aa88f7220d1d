import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  type Actor,
  type Caller,
  isAdministrator,
  isGuest,
  isOwner,
  type KeyLimit,
  type KeyScope,
} from '../actor';
import type { ApiError } from '../errors/api-error';
import { NotAuthenticated } from '../errors/companion.errors';
import {
  BeyondChannels,
  InsufficientScope,
  MustBeAdministrator,
  MustBeOwner,
  NotForBots,
  NotForGuests,
  NotLoggedIn,
  ReauthenticationRequired,
} from '../errors/shared.errors';

/**
 * The scopes that a route requires of named keys: one for read-only requests, and one for all others. No scope is
 * sufficient for routes that return or change credentials.
 */
type RouteScope = { readonly reads: KeyScope; readonly changes: KeyScope } | 'own key';

/**
 * The scope that a request needs; null if none is sufficient, as for routes that declare no scope.
 * @param method of the request
 */
export function neededScope(scope: RouteScope | null, method: string): KeyScope | null {
  if (scope === null || scope === 'own key') return null;
  return method === 'GET' || method === 'HEAD' ? scope.reads : scope.changes;
}

/**
 * For the parts of a request that change credentials or roles: refuses named keys, whatever their scopes.
 * @throws InsufficientScope
 */
export function requireOwnKey({ limit }: Pick<Caller, 'limit'>): void {
  if (limit) throw new InsufficientScope(null);
}

/** What a route requires of its caller. By default: credentials of an account, of any role. */
export interface AccessPolicy {
  /**
   * How callers authenticate: with an API key (main interface), a token of the companion interface, on pages the cookie
   * of a session, or a bot's API key in the URL, for services that can send nothing else.
   */
  readonly scheme: 'basic' | 'bearer' | 'session' | 'key';
  /** Credentials are ignored. */
  readonly public: boolean;
  /** The route has its own guard, which checks something else: a secret that only another service knows. */
  readonly ownSecret: boolean;
  /** Credentials are checked if sent. */
  readonly optionalCredentials: boolean;
  /** Read-only requests may also use the cookie of a session. */
  readonly takesSessions: boolean;
  /**
   * Changes may use it too, without the session's token, if the browser states that a page of this server sent the
   * request.
   */
  readonly trustsOrigin: boolean;
  /** Whether the route is also in the interface for browsers. */
  readonly allowsBrowsers: boolean;
  /** Whether people may call it before they set up or use the second factor that the organization requires. */
  readonly allowsWithoutFactor: boolean;
  /** In which sessions people must have authenticated recently; null if in none. */
  readonly needsRecentSignIn: 'in browsers' | 'in any session' | null;
  /** What named API keys need; null if undeclared, which closes the route to them. */
  readonly keyScope: RouteScope | null;
  /** Whether the route honors the channel limits of named keys. All others are closed to limited keys. */
  readonly keepsToChannels: boolean;
  readonly role: 'owner' | 'administrator' | null;
  readonly allowsGuests: boolean;
  readonly allowsBots: boolean;
  /** Incoming-webhook bots can only post; they are refused unless the route allows them. */
  readonly allowsIncomingWebhookBots: boolean;
  /** Whether a request counts against the caller's rate limit. */
  readonly isRateLimited: boolean;
  /**
   * Whether directories are compared with the database first; `if possible` proceeds while the database is unavailable.
   */
  readonly looksAtDatabase: 'always' | 'if possible' | 'never';
}

/** Metadata key of the policy parts set by decorators. */
export const POLICY = 'parley:access';

const CLOSED: AccessPolicy = {
  scheme: 'basic',
  public: false,
  ownSecret: false,
  optionalCredentials: false,
  takesSessions: false,
  trustsOrigin: false,
  allowsBrowsers: true,
  allowsWithoutFactor: false,
  needsRecentSignIn: null,
  keyScope: null,
  keepsToChannels: false,
  role: null,
  allowsGuests: true,
  allowsBots: true,
  allowsIncomingWebhookBots: false,
  isRateLimited: true,
  looksAtDatabase: 'always',
};

const policies = new WeakMap<object, AccessPolicy>();

/** The policy of the called route; decorators of the handler override those of the controller. */
export function accessPolicy(context: Pick<ExecutionContext, 'getHandler' | 'getClass'>): AccessPolicy {
  const handler = context.getHandler();
  let policy = policies.get(handler);
  if (policy === undefined) {
    const parts = [context.getClass(), handler].map(
      (holder) => Reflect.getMetadata(POLICY, holder) as Partial<AccessPolicy> | undefined,
    );
    policy = Object.assign({}, CLOSED, ...parts) as AccessPolicy;
    policies.set(handler, policy);
  }
  return policy;
}

/**
 * Enforces the roles and key scopes declared by the route's decorators. It also refuses callers without credentials on
 * a route that requires them, so that no route is open by accident.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const policy = accessPolicy(context);
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { actor, method } = request;
    if (actor === null) {
      if (!policy.public && !policy.optionalCredentials) throw strangerRefusal(policy);
      return true;
    }
    if (actor.limit) checkScope(actor.limit, policy, method);
    if (actor.limit?.channelIds && !policy.keepsToChannels) throw new BeyondChannels();
    checkRole(actor, policy);
    if (policy.needsRecentSignIn) requireRecentSignIn(request, policy.needsRecentSignIn);
    return true;
  }
}

/**
 * Requires people in browsers to authenticate again: someone else may be using the open browser.
 * @throws ReauthenticationRequired
 */
export function requireRecentSignIn(
  { door, sessionId, isRecent }: FastifyRequest,
  where: NonNullable<AccessPolicy['needsRecentSignIn']> = 'in browsers',
): void {
  const isAsked = sessionId !== null && (door !== null || where === 'in any session');
  if (isAsked && !isRecent) throw new ReauthenticationRequired();
}

function strangerRefusal({ scheme }: AccessPolicy): ApiError {
  return scheme === 'bearer' ? new NotAuthenticated() : new NotLoggedIn();
}

function checkScope({ scopes }: KeyLimit, policy: AccessPolicy, method: string): void {
  const needed = neededScope(policy.keyScope, method);
  if (needed === null || !scopes.has(needed)) throw new InsufficientScope(needed);
}

function checkRole(actor: Actor, policy: AccessPolicy): void {
  if (policy.role === 'owner' && !isOwner(actor)) throw new MustBeOwner();
  if (policy.role === 'administrator' && !isAdministrator(actor)) throw new MustBeAdministrator();
  if (!policy.allowsGuests && isGuest(actor)) throw new NotForGuests();
  if (!policy.allowsBots && actor.isBot) throw new NotForBots();
}
