import type { IncomingMessage } from 'node:http';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { carryBody } from './body-parsers';
import type { FormLimits } from './body/request-limits';
import { isMainInterface } from './doors/door';
import { MethodNotAllowed, NotFound } from '../errors/request.errors';

/** Methods that a route can have, in listing order. */
const METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];

/** Methods that a POSTed form can select with its field `method`. */
export const FORM_METHODS: readonly string[] = ['PATCH', 'PUT', 'DELETE'];

/**
 * Posted forms that were routed as another method before they were read, with the methods that the path has for forms.
 */
const guessed = new WeakMap<IncomingMessage, GuessedMethod>();

/** The methods that a form may select on a path without POST. */
export interface GuessedMethod {
  readonly methods: readonly string[];
  /** The error for a form that selects none of them. */
  readonly refusal: MethodNotAllowed;
}

/** The methods that the form of this request may select; undefined if the path has a POST route. */
export function guessedMethod({ raw }: FastifyRequest): GuessedMethod | undefined {
  return guessed.get(raw);
}

/**
 * Answers requests that match no route, before authentication and before any body is read: OPTIONS of a known path
 * lists its methods, any other method there is refused with 405, and an unknown path with 404. A path of a route
 * without parameters is never matched by routes with parameters, whatever the method. A form of the main interface that
 * is posted to a path without POST may select another method: it goes to the first route of that path, whose guards
 * find out who sends it, and whether it selects that method ({@link FormMethodGuard}).
 */
export function registerMethods(fastify: FastifyInstance): void {
  const literalPaths = new Map<string, Set<string>>();
  fastify.addHook('onRoute', ({ url, method }) => {
    if (/[:*]/.test(url)) return;
    const methods = literalPaths.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    literalPaths.set(url, methods);
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    const literal = literalPaths.get(pathOf(request));
    if (!request.is404 && (literal === undefined || literal.has(request.method))) return done();
    const allowed = literal ? METHODS.filter((method) => literal.has(method)) : methodsOf(fastify, request);
    const methods = FORM_METHODS.filter((method) => allowed.includes(method));
    if (allowed.length === 0) {
      done(new NotFound());
    } else if (request.method === 'OPTIONS') {
      void reply.code(204).header('allow', allowed.join(', ')).send();
    } else if (methods.length > 0 && isPostedForm(request)) {
      guessed.set(request.raw, { methods, refusal: new MethodNotAllowed(allowed) });
      routeAs(methods[0]!, request, reply);
    } else {
      done(new MethodNotAllowed(allowed));
    }
  });
}

/**
 * Reroutes the request with another method: the guards and parameters of the new route apply. The part of its body
 * already read is kept.
 */
export function routeAs(method: string, request: FastifyRequest, reply: FastifyReply): void {
  if (request.body !== undefined) carryBody(request);
  request.raw.method = method;
  leave(reply);
  request.server.routing(request.raw, reply.raw);
}

/** The raw path, with repeated slashes collapsed. */
function pathOf({ url }: FastifyRequest): string {
  return url.replace(/[?#].*$/s, '').replace(/\/{2,}/g, '/');
}

function methodsOf(fastify: FastifyInstance, request: FastifyRequest): string[] {
  const path = pathOf(request);
  return METHODS.filter((method) => fastify.findRoute({ method, url: path }) !== null);
}

function isPostedForm({ method, url, headers }: FastifyRequest): boolean {
  const type = headers['content-type'] ?? '';
  const isForm = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type);
  return method === 'POST' && isForm && isMainInterface(url);
}

/** Leaves the answer to another reply on the same response, which also logs and measures the request. */
function leave(reply: FastifyReply): void {
  reply.hijack();
  for (const listener of reply.raw.listeners('error') as (() => void)[]) {
    reply.raw.off('error', listener).off('finish', listener);
  }
}

interface SecondPath {
  readonly alsoWithSlash?: boolean;
  readonly alsoWithout?: string;
}

/**
 * Adds a route with a trailing slash, which some clients use.
 * @param limits of forms from callers without credentials
 */
export const AlsoWithSlash = (limits: FormLimits = {}) =>
  RouteConfig({ alsoWithSlash: true, ...limits } satisfies SecondPath & FormLimits);

/** Adds a route without this optional path parameter. */
export const AlsoWithout = (parameter: string) =>
  RouteConfig({ alsoWithout: parameter } satisfies SecondPath);

/** Registers the second paths of routes. */
export function registerSecondPaths(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    // The second path of a GET gets its own HEAD, like the first one.
    const second = secondPath(route);
    if (route.method !== 'HEAD' && second !== route.url) fastify.route({ ...route, url: second });
  });
}

/** The second path of a route; its own path if it has none. */
function secondPath({ url, config }: RouteOptions): string {
  const { alsoWithSlash = false, alsoWithout }: SecondPath = config ?? {};
  if (alsoWithout !== undefined) return url.replace(`/:${alsoWithout}/`, '/');
  return alsoWithSlash && !url.endsWith('/') ? `${url}/` : url;
}
