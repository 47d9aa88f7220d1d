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
 * What a route asks of named keys: the scope for requests that only read, and the one for all others. No scope is enough
 * for what gives or changes credentials.
 */
type RouteScope = { readonly reads: KeyScope; readonly changes: KeyScope } | 'own key';

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

/** What a route asks of its caller. Without any decorator: credentials of an account, of any role. */
export interface AccessPolicy {
  /**
   * How callers show who they are: an API key (main interface), a token of the companion interface, on pages the cookie
   * of a session, or the API key of a bot in the address, for services that can send nothing else.
   */
  readonly scheme: 'basic' | 'bearer' | 'session' | 'key';
  /** Credentials are not looked at. */
  readonly public: boolean;
  /** The route has its own guard, which asks for something else: a secret that only another service knows. */
  readonly ownSecret: boolean;
  /** Credentials are looked at when sent. */
  readonly optionalCredentials: boolean;
  /** The cookie of a session counts as well for requests that only read. */
  readonly takesSessions: boolean;
  /** It counts for changes, too, without the token of the session, where the browser says that a page of ours asks. */
  readonly trustsOrigin: boolean;
  /** Whether the interface for browsers has the route. */
  readonly allowsBrowsers: boolean;
  /** Whether people may call who have yet to set up or show the second factor that the organization requires. */
  readonly allowsWithoutFactor: boolean;
  /** In which sessions people must have proved a short while ago who they are; null if in none. */
  readonly needsRecentSignIn: 'in browsers' | 'in any session' | null;
  /** What named API keys need; null if not declared, which closes the route to them. */
  readonly keyScope: RouteScope | null;
  /** Whether the route keeps to the channels that a named key is limited to. All others are closed to such keys. */
  readonly keepsToChannels: boolean;
  readonly role: 'owner' | 'administrator' | null;
  readonly allowsGuests: boolean;
  readonly allowsBots: boolean;
  /** Bots that can do nothing but post are refused unless the route names them. */
  readonly allowsIncomingWebhookBots: boolean;
  /** Whether a request counts against the caller's budget. */
  readonly isRateLimited: boolean;
  /**
   * Whether tables in memory are compared with the database first; `if possible` goes on while the database is away.
   */
  readonly looksAtDatabase: 'always' | 'if possible' | 'never';
}

/** Metadata key of the parts of the policy that decorators set. */
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

/** What the called route asks of its caller; decorators of the handler win over those of the controller. */
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
 * Applies what the route's decorators say about roles and the scopes of named keys. It also refuses a caller who is
 * still unknown on a route that asks for credentials, so that no route is open by accident.
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
 * Asks people in browsers to prove again who they are: the browser may be open in front of another person.
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
