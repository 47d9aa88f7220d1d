import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Actor, Caller, KeyScope } from '../actor';
import { accessPolicy, type AccessPolicy, POLICY, requireRecentSignIn } from './access.guard';
import { sentParameters } from './body/sent-parameters';

/** Collects parts of the policy, so that decorators can be combined in any order. */
function access(part: Partial<AccessPolicy>): ClassDecorator & MethodDecorator {
  return (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor) => {
    const holder = (descriptor?.value as object | undefined) ?? target;
    const soFar = Reflect.getMetadata(POLICY, holder) as Partial<AccessPolicy> | undefined;
    Reflect.defineMetadata(POLICY, { ...soFar, ...part }, holder);
  };
}

/** Open to everyone; credentials are ignored. */
export const Public = () => access({ public: true });

/** Callers need no account, but a secret that the route's own guard checks. */
export const OwnSecret = () => access({ public: true, ownSecret: true });

/** Open to everyone; credentials are checked if sent. */
export const OptionalCredentials = () => access({ optionalCredentials: true });

/** Callers send a token instead of an API key, and refusals have the status codes of the companion interface. */
export const BearerTokens = () => access({ scheme: 'bearer' });

/** A page for signed-in users; others are redirected to sign in first. */
export const SessionPage = () => access({ scheme: 'session' });

/** A public page; the session is available if there is one. */
export const OpenPage = () => access({ scheme: 'session', optionalCredentials: true });

/** For content of pages: a read-only request without other credentials may use the cookie of a session. */
export const TakesSessions = () => access({ takesSessions: true });

/**
 * For uploads of pages: the cookie of a session counts if there are no other credentials. Upload libraries of pages do
 * not send the session's token, so the browser must state that a page of this server sent the request.
 */
export const TakesUploadsOfPages = () => access({ takesSessions: true, trustsOrigin: true });

/**
 * For bots only, of every kind, whose API key is the parameter `api_key`: for services that can be configured only with
 * a URL.
 */
export const KeyInAddress = () =>
  access({ scheme: 'key', allowsIncomingWebhookBots: true, allowsBrowsers: false });

/** Closed to browsers: routes that return tokens are for programs. */
export const NotForBrowsers = () => access({ allowsBrowsers: false });

/** Also open to people who have yet to set up or use the second factor that the organization requires. */
export const WithoutSecondFactor = () => access({ allowsWithoutFactor: true });

/**
 * For dangerous actions: people in browsers must authenticate again unless they did in the last ten minutes; with `in
 * any session`, so must programs with a token.
 */
export const NeedsRecentSignIn = (where: 'in browsers' | 'in any session' = 'in browsers') =>
  access({ needsRecentSignIn: where });

/** Owners and administrators only. */
export const AdministratorOnly = () => access({ role: 'administrator' });

/** Owners only. */
export const OwnerOnly = () => access({ role: 'owner' });

/** Everyone but guests. */
export const NoGuests = () => access({ allowsGuests: false });

/** Everyone but bots. */
export const HumansOnly = () => access({ allowsBots: false });

/**
 * The scope that named API keys need: for read-only requests and, if different, for all others. Without this decorator,
 * a route is closed to them.
 */
export const NeedsScope = (reads: KeyScope, changes: KeyScope = reads) =>
  access({ keyScope: { reads, changes } });

/**
 * Also for named API keys limited to channels: everything that the route reads and changes is looked up with the actor,
 * whose limit `ChannelAccess` and `MessageAccess` apply.
 */
export const KeepsToChannels = () => access({ keepsToChannels: true });

/** Closed to named API keys, whatever their scopes: for routes that show, issue or change credentials. */
export const NotForNamedKeys = () => access({ keyScope: 'own key' });

/** Also for incoming-webhook bots. */
export const AllowIncomingWebhookBots = () => access({ allowsIncomingWebhookBots: true });

/** Requests do not count: for long polls, which a client must repeat, and health checks. */
export const NotRateLimited = () => access({ isRateLimited: false });

/**
 * The route answers while the database is unavailable. `if possible` is for routes that read directories, which may
 * then be stale; `never` is for routes that use no directory and must not wait.
 */
export const WithoutDatabase = (looksAtDatabase: 'if possible' | 'never') => access({ looksAtDatabase });

/** The actor, as an argument of a handler; null only where {@link OptionalCredentials} allows it. */
export const CurrentActor = createParamDecorator(
  (_: unknown, context: ExecutionContext): Actor | null =>
    context.switchToHttp().getRequest<FastifyRequest>().actor,
);

/** How and from where a request comes, as reported by a trusted proxy if there is one. */
export function callerOf(request: FastifyRequest, { scheme }: Pick<AccessPolicy, 'scheme'>): Caller {
  const program = request.headers['user-agent'];
  return {
    way: scheme === 'bearer' ? 'companion' : 'main',
    address: request.ip,
    clientName:
      request.door === null
        ? clientNameOf(sentParameters(request).get('client'), program)
        : browserName(program),
  };
}

/** Browsers all get the same client name, except the desktop app. */
function browserName(userAgent: string | undefined): string {
  return userAgent?.startsWith('Zulip') ? clientNameOf(undefined, userAgent) : 'website';
}

/** The {@link Caller} as an argument of a handler, for routes whose callers are not signed in. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>(), accessPolicy(context)),
);

/**
 * The name of the client program: the `client` parameter, else the `User-Agent` up to its version.
 */
function clientNameOf(clientParameter: string | undefined, userAgent: string | undefined): string {
  const name = clientParameter?.trim() || userAgent?.split(/[/\s]/, 1)[0]?.trim() || 'Unspecified';
  return name.length <= MAX_CLIENT_NAME_LENGTH ? name : [...name].slice(0, MAX_CLIENT_NAME_LENGTH).join('');
}

const MAX_CLIENT_NAME_LENGTH = 30;

/** The ID of the caller's session, as an argument of a handler; null for callers with an API key. */
export const CurrentSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | null =>
    context.switchToHttp().getRequest<FastifyRequest>().sessionId,
);

/** Checks for a recent sign-in within a handler, as its argument: called before the dangerous part. */
export const RecentSignIn = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return (isDangerous: boolean): void => {
    if (isDangerous) requireRecentSignIn(request);
  };
});

/** The function that {@link RecentSignIn} injects. @throws ReauthenticationRequired */
export type RequireRecentSignIn = (isDangerous: boolean) => void;

/** The address and program of a client. */
export interface RequestOrigin {
  /** IP address of the client, as reported by a trusted proxy if there is one. */
  readonly address: string;
  /** The client's user agent, truncated to 200 characters; empty if there is none. */
  readonly userAgent: string;
}

const MAX_USER_AGENT = 200;

/** Origin of the request, as an argument of a handler. */
export const CurrentOrigin = createParamDecorator((_: unknown, context: ExecutionContext): RequestOrigin =>
  originOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** Origin of a request. */
export function originOf({ ip, headers }: FastifyRequest): RequestOrigin {
  return { address: ip, userAgent: (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT) };
}
