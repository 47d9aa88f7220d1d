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
