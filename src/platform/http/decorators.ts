import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../actor';

/** What a route asks of its caller. Without any decorator: credentials of an account, whatever its role. */
export interface AccessPolicy {
  /** How callers show who they are: an API key (main interface), or a token of the companion interface. */
  readonly scheme: 'basic' | 'bearer';
  /** Credentials are not looked at. */
  readonly public: boolean;
  /** A guard of the route's own asks for something else: a secret that only some other service knows. */
  readonly ownSecret: boolean;
  /** Credentials are looked at when sent. */
  readonly optionalCredentials: boolean;
  readonly role: 'owner' | 'administrator' | null;
  readonly allowsGuests: boolean;
  readonly allowsBots: boolean;
  /** Bots that can do nothing but post are refused unless the route names them. */
  readonly allowsIncomingWebhookBots: boolean;
  /** Whether a request counts against the caller's budget. */
  readonly isRateLimited: boolean;
  /** Whether what is kept in memory is compared with the database first; `if possible` goes on while that is away. */
  readonly looksAtDatabase: 'always' | 'if possible' | 'never';
}

const POLICY = 'parley:access';

/** Collects parts of the policy, so that decorators can be combined in any order. */
function access(part: Partial<AccessPolicy>): ClassDecorator & MethodDecorator {
  return (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor) => {
    const holder = (descriptor?.value as object | undefined) ?? target;
    const soFar = Reflect.getMetadata(POLICY, holder) as Partial<AccessPolicy> | undefined;
    Reflect.defineMetadata(POLICY, { ...soFar, ...part }, holder);
  };
}

/** Anybody may call; credentials are not looked at. */
export const Public = () => access({ public: true });

/** No account is asked for, but a secret that the route's own guard compares. */
export const OwnSecret = () => access({ public: true, ownSecret: true });

/** Anybody may call; whoever sends credentials is known by them. */
export const OptionalCredentials = () => access({ optionalCredentials: true });

/** Callers send a token instead of an API key, and refusals have the status codes of the companion interface. */
export const BearerTokens = () => access({ scheme: 'bearer' });

/** Owners and administrators only. */
export const AdministratorOnly = () => access({ role: 'administrator' });

/** Owners only. */
export const OwnerOnly = () => access({ role: 'owner' });

/** Everybody but guests. */
export const NoGuests = () => access({ allowsGuests: false });

/** Everybody but bots. */
export const HumansOnly = () => access({ allowsBots: false });

/** Also bots of the incoming-webhook kind. */
export const AllowIncomingWebhookBots = () => access({ allowsIncomingWebhookBots: true });

/** Requests are not counted: long polls, which a client must keep up, and health checks. */
export const NotRateLimited = () => access({ isRateLimited: false });

/**
 * The route answers while the database is away. `if possible` is for what is shown of tables in memory, which may then be
 * old; `never` for what rests on none of them, and may not wait.
 */
export const WithoutDatabase = (looksAtDatabase: 'if possible' | 'never') => access({ looksAtDatabase });

const CLOSED: AccessPolicy = {
  scheme: 'basic',
  public: false,
  ownSecret: false,
  optionalCredentials: false,
  role: null,
  allowsGuests: true,
  allowsBots: true,
  allowsIncomingWebhookBots: false,
  isRateLimited: true,
  looksAtDatabase: 'always',
};

const policies = new WeakMap<object, AccessPolicy>();

/** What the route that is being called asks of its caller; the handler's own words win over the controller's. */
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

/** The actor, as an argument of a handler; null only where {@link OptionalCredentials} allows it. */
export const CurrentActor = createParamDecorator(
  (_: unknown, context: ExecutionContext): Actor | null =>
    context.switchToHttp().getRequest<FastifyRequest>().actor,
);

/** Where the request comes from, as an argument of a handler; what a trusted proxy says counts. */
export const ClientAddress = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => context.switchToHttp().getRequest<FastifyRequest>().ip,
);

/** From where somebody calls, and with what. */
export interface RequestOrigin {
  /** As {@link ClientAddress}. */
  readonly address: string;
  /** What the client says of itself, cut to 200 characters; empty if nothing. */
  readonly userAgent: string;
}

const MAX_USER_AGENT = 200;

/** Origin of the request, as an argument of a handler. */
export const CurrentOrigin = createParamDecorator((_: unknown, context: ExecutionContext): RequestOrigin => {
  const { ip, headers } = context.switchToHttp().getRequest<FastifyRequest>();
  return { address: ip, userAgent: (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT) };
});
