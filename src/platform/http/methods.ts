import type { IncomingMessage } from 'node:http';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { carryBody } from './body-parsers';
import type { FormLimits } from './body/request-limits';
import { isMainInterface } from './doors/door';
import { MethodNotAllowed, NotFound } from '../errors/request.errors';

/** Methods a route can have, in the order in which they are listed. */
const METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];

/** Methods that a form can ask for with its field `method`, instead of the POST that carries it. */
export const FORM_METHODS: readonly string[] = ['PATCH', 'PUT', 'DELETE'];

/** Posted forms that were routed as another method before they were read, with what that path has for forms. */
const guessed = new WeakMap<IncomingMessage, GuessedMethod>();

/** What a form may ask for where nothing is posted. */
export interface GuessedMethod {
  readonly methods: readonly string[];
  /** Answers a form that asks for none of them. */
  readonly refusal: MethodNotAllowed;
}

/** What the form of this request may ask for; undefined where it is posted as it is. */
export function guessedMethod({ raw }: FastifyRequest): GuessedMethod | undefined {
  return guessed.get(raw);
}

/**
 * Answers requests that no route takes, before authentication and before any body is read: OPTIONS of a known path
 * lists its methods, any other method there is refused with 405, and an unknown path is a 404. Where a path is that of a
 * route without parameters, routes with parameters do not take it, whatever the method. A form of the main interface
 * that is posted where nothing is may ask for another method: it goes to the route of the first one there, whose guards
 * find out who sends it, and whether it asks for that one ({@link FormMethodGuard}).
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
 * Routes the request once more, as one of another method: guards and parameters are those of the route that it reaches. What
 * was read of its body stays read.
 */
export function routeAs(method: string, request: FastifyRequest, reply: FastifyReply): void {
  if (request.body !== undefined) carryBody(request);
  request.raw.method = method;
  leave(reply);
  request.server.routing(request.raw, reply.raw);
}

/** As it was sent, but for repeated slashes. */
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
 * The route answers under its path with a slash at the end, too: there are clients that ask for it in this form.
 * @param limits of forms that strangers may send to it
 */
export const AlsoWithSlash = (limits: FormLimits = {}) =>
  RouteConfig({ alsoWithSlash: true, ...limits } satisfies SecondPath & FormLimits);

/** The route answers under its path without this parameter, too, which must be an optional one. */
export const AlsoWithout = (parameter: string) =>
  RouteConfig({ alsoWithout: parameter } satisfies SecondPath);

/** Adds the second paths of routes that have one. */
export function registerSecondPaths(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    // The second path of a GET gets its own HEAD, as the first one did.
    const second = secondPath(route);
    if (route.method !== 'HEAD' && second !== route.url) fastify.route({ ...route, url: second });
  });
}

/** The path itself where there is no other. */
function secondPath({ url, config }: RouteOptions): string {
  const { alsoWithSlash = false, alsoWithout }: SecondPath = config ?? {};
  if (alsoWithout !== undefined) return url.replace(`/:${alsoWithout}/`, '/');
  return alsoWithSlash && !url.endsWith('/') ? `${url}/` : url;
}
