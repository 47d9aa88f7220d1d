import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MethodNotAllowed, NotFound } from '../errors/request.errors';
import { UrlEncodedBody } from './body/sent-parameters';
import { isMainInterface } from './envelope.interceptor';

/** Methods a route can have, in the order in which they are listed. */
const METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];

/** Methods that a form can ask for with its field `method`, instead of the POST that carries it. */
const FORM_METHODS = ['DELETE', 'PATCH', 'PUT'];

/**
 * Answers requests that no route takes, before authentication and before any body is read: OPTIONS of a known path
 * lists its methods, any other method there is refused with 405, and an unknown path is a 404. Only a form that may ask
 * for another method is read first.
 */
export function registerMethods(fastify: FastifyInstance): void {
  registerFormMethods(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const allowed = methodsOf(fastify, request);
    if (allowed.length === 0) {
      done(new NotFound());
    } else if (request.method === 'OPTIONS') {
      void reply.code(204).header('allow', allowed.join(', ')).send();
    } else {
      const mayBecomeAnother = isForm(request) && allowed.some((method) => FORM_METHODS.includes(method));
      done(mayBecomeAnother ? undefined : new MethodNotAllowed(allowed));
    }
  });
}

function methodsOf(fastify: FastifyInstance, { url }: FastifyRequest): string[] {
  const path = url.replace(/[?#].*$/s, '');
  return METHODS.filter((method) => fastify.findRoute({ method, url: path }) !== null);
}

function isForm({ method, url, headers }: FastifyRequest): boolean {
  const type = headers['content-type'] ?? '';
  return method === 'POST' && /^application\/x-www-form-urlencoded\b/i.test(type) && isMainInterface(url);
}

/**
 * Treats a form of the main interface that was posted with a field `method` as a request of that method, as Zulip's web
 * client sends it. The request is routed once more, without the field: guards and parameters are those of the route
 * that it reaches.
 */
function registerFormMethods(fastify: FastifyInstance): void {
  const readForms = new WeakMap<IncomingMessage, Readable>();
  fastify.addHook('preValidation', (request, reply, done) => {
    const { body, raw } = request;
    if (request.method !== 'POST' || !(body instanceof UrlEncodedBody)) return done();
    const method = isMainInterface(request.url) ? body.method : null;
    if (method === null || !FORM_METHODS.includes(method)) {
      return done(request.is404 ? new MethodNotAllowed(methodsOf(fastify, request)) : undefined);
    }
    // The request's headers state the length of the form as it was sent.
    const form = Object.assign(Readable.from([body.withoutMethod()]), { receivedEncodedLength: body.length });
    readForms.set(raw, form);
    raw.method = method;
    leave(reply);
    fastify.routing(raw, reply.raw);
  });
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    done(null, readForms.get(request.raw) ?? payload);
  });
}

/** Leaves the answer to another reply on the same response, which also logs and measures the request. */
function leave(reply: FastifyReply): void {
  reply.hijack();
  for (const listener of reply.raw.listeners('error') as (() => void)[]) {
    reply.raw.off('error', listener).off('finish', listener);
  }
}
