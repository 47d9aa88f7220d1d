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

/** Everybody may call; credentials are ignored. */
export const Public = () => access({ public: true });

/** Callers need no account, but a secret that the route's own guard compares. */
export const OwnSecret = () => access({ public: true, ownSecret: true });

/** Everybody may call; credentials are checked if they are sent. */
export const OptionalCredentials = () => access({ optionalCredentials: true });

/** Callers send a token instead of an API key, and refusals have the status codes of the companion interface. */
export const BearerTokens = () => access({ scheme: 'bearer' });

/** A page for signed-in users; others are redirected to sign in first. */
export const SessionPage = () => access({ scheme: 'session' });

/** A public page; the session is known if there is one. */
export const OpenPage = () => access({ scheme: 'session', optionalCredentials: true });

/** What pages show: a request without other credentials may come with the cookie of a session, if it only reads. */
export const TakesSessions = () => access({ takesSessions: true });

/**
 * What pages upload: the cookie of a session counts where nothing else is sent. Programs that upload for pages send no token
 * of the session, so the browser has to say that it is a page of this server that asks.
 */
export const TakesUploadsOfPages = () => access({ takesSessions: true, trustsOrigin: true });

/** Bots alone, of every kind, whose API key is the parameter `api_key`: for services that know nothing but an address. */
export const KeyInAddress = () =>
  access({ scheme: 'key', allowsIncomingWebhookBots: true, allowsBrowsers: false });

/** Closed to browsers: what hands out tokens is for programs. */
export const NotForBrowsers = () => access({ allowsBrowsers: false });

/** Also for people who have yet to set up or show the second factor that the organization requires. */
export const WithoutSecondFactor = () => access({ allowsWithoutFactor: true });

/**
 * Dangerous: people in browsers have to prove again who they are, unless they did so in the last ten minutes; where it says
 * so, also those whose program has a token.
 */
export const NeedsRecentSignIn = (where: 'in browsers' | 'in any session' = 'in browsers') =>
  access({ needsRecentSignIn: where });

/** Owners and administrators only. */
export const AdministratorOnly = () => access({ role: 'administrator' });

/** Owners only. */
export const OwnerOnly = () => access({ role: 'owner' });

/** Everybody but guests. */
export const NoGuests = () => access({ allowsGuests: false });

/** Everybody but bots. */
export const HumansOnly = () => access({ allowsBots: false });

/**
 * The scope that named API keys need: for requests that only read, and for all others, where that is another one. Without
 * this decorator, a route is closed to them.
 */
export const NeedsScope = (reads: KeyScope, changes: KeyScope = reads) =>
  access({ keyScope: { reads, changes } });

/**
 * Also for named API keys that are limited to channels: all that the route reads and changes is looked up with the actor,
 * whose limit `ChannelAccess` and `MessageAccess` apply.
 */
export const KeepsToChannels = () => access({ keepsToChannels: true });

/** Closed to named API keys, whatever their scopes: for what shows, gives or changes credentials. */
export const NotForNamedKeys = () => access({ keyScope: 'own key' });

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

/** How and from where a request comes; a trusted proxy is believed. */
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

/** Every browser is one client, whatever it says, but the desktop app keeps its name. */
function browserName(userAgent: string | undefined): string {
  return userAgent?.startsWith('Zulip') ? clientNameOf(undefined, userAgent) : 'website';
}

/** The same as an argument of a handler, for routes whose callers are not signed in. */
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

/** Names the session by which the caller is known, as an argument of a handler; null for callers with an API key. */
export const CurrentSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | null =>
    context.switchToHttp().getRequest<FastifyRequest>().sessionId,
);

/** Does the same for a part of what a route does, as an argument of a handler: called before what is dangerous. */
export const RecentSignIn = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return (isDangerous: boolean): void => {
    if (isDangerous) requireRecentSignIn(request);
  };
});

/** What {@link RecentSignIn} gives. @throws ReauthenticationRequired */
export type RequireRecentSignIn = (isDangerous: boolean) => void;

/** From where a client calls, and with which program. */
export interface RequestOrigin {
  /** IP address of the client; a trusted proxy is believed. */
  readonly address: string;
  /** The client's user agent, cut to 200 characters; empty if there is none. */
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
