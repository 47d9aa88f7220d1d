import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../actor';
import { POLICY, type AccessPolicy } from './access.guard';

/** Collects parts of the policy, so that decorators can be combined in any order. */
function access(part: Partial<AccessPolicy>): ClassDecorator & MethodDecorator {
  return (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor) => {
    const holder = (descriptor?.value as object | undefined) ?? target;
    const soFar = Reflect.getMetadata(POLICY, holder) as Partial<AccessPolicy> | undefined;
    Reflect.defineMetadata(POLICY, { ...soFar, ...part }, holder);
  };
}

/** Everybody may call; credentials are ignored. */
export const Public = () => access({ public: true });

/** Callers need no account, but a secret that the route's own guard compares. */
export const OwnSecret = () => access({ public: true, ownSecret: true });

/** Everybody may call; credentials are checked if they are sent. */
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

/** Requests are not counted: for long polls, which a client must keep up, and health checks. */
export const NotRateLimited = () => access({ isRateLimited: false });

/**
 * The route answers while the database is away. `if possible` is for routes that show tables in memory, which may then
 * be out of date; `never` is for routes that depend on none of them, and may not wait.
 */
export const WithoutDatabase = (looksAtDatabase: 'if possible' | 'never') => access({ looksAtDatabase });

/** The actor, as an argument of a handler; null only where {@link OptionalCredentials} allows it. */
export const CurrentActor = createParamDecorator(
  (_: unknown, context: ExecutionContext): Actor | null =>
    context.switchToHttp().getRequest<FastifyRequest>().actor,
);

/** Where the request comes from, as an argument of a handler; a trusted proxy is believed. */
export const ClientAddress = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => context.switchToHttp().getRequest<FastifyRequest>().ip,
);

/** From where a client calls, and with which program. */
export interface RequestOrigin {
  /** As {@link ClientAddress}. */
  readonly address: string;
  /** The client's user agent, cut to 200 characters; empty if there is none. */
  readonly userAgent: string;
}

const MAX_USER_AGENT = 200;

/** Origin of the request, as an argument of a handler. */
export const CurrentOrigin = createParamDecorator((_: unknown, context: ExecutionContext): RequestOrigin => {
  const { ip, headers } = context.switchToHttp().getRequest<FastifyRequest>();
  return { address: ip, userAgent: (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT) };
});
