import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MethodNotAllowed, NotFound } from '../errors/request.errors';
import { FORM_METHODS, guessFormMethod } from './body/form-method';
import { MultipartBody } from './body/multipart-body';
import { UrlEncodedBody } from './body/sent-parameters';
import { isMainInterface } from './doors/door';

/** Methods a route can have, in the order in which they are listed. */
const METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];

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
      const mayBecomeAnother = isForm(request) && FORM_METHODS.some((method) => allowed.includes(method));
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
  const isOne = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type);
  return method === 'POST' && isOne && isMainInterface(url);
}

/**
 * Treats a form of the main interface that was posted with a field `method` as a request of that method, as Zulip's web
 * client sends it. The request is routed once more: guards and parameters are those of the route that it reaches, and the
 * field is none of them.
 */
function registerFormMethods(fastify: FastifyInstance): void {
  const readForms = new WeakMap<IncomingMessage, Readable>();
  /** Requests whose form was not read, by what answers where it does not name the method that they now have. */
  const guessed = new WeakMap<IncomingMessage, MethodNotAllowed>();

  const routeAgain = ({ raw }: FastifyRequest, reply: FastifyReply, method: string) => {
    raw.method = method;
    leave(reply);
    fastify.routing(raw, reply.raw);
  };

  /** Only where nothing is posted: there, a form with a file need not be taken apart before its sender is known. */
  const guessMultipart = async (request: FastifyRequest, reply: FastifyReply) => {
    const allowed = methodsOf(fastify, request);
    const guess = await guessFormMethod(request.raw);
    // The web client sends PATCH alone in this way, and the field last, after a file of any length.
    const method = guess === 'unknown' ? 'PATCH' : guess;
    const refusal = new MethodNotAllowed(allowed);
    if (method === null || !allowed.includes(method)) throw refusal;
    guessed.set(request.raw, refusal);
    routeAgain(request, reply, method);
  };

  fastify.addHook('preValidation', (request, reply, done) => {
    const { body, raw } = request;
    const refusal = guessed.get(raw);
    if (body instanceof MultipartBody && refusal !== undefined) {
      body.requireMethod(request.method, refusal);
    } else if (body instanceof MultipartBody && request.is404) {
      guessMultipart(request, reply).catch(done);
      return;
    } else if (body instanceof UrlEncodedBody && namesMethod(request, body)) {
      // The request's headers state the length of the form as it was sent.
      const form = Object.assign(Readable.from([body.withoutMethod()]), {
        receivedEncodedLength: body.length,
      });
      readForms.set(raw, form);
      routeAgain(request, reply, body.method!);
      return;
    }
    done(request.is404 ? new MethodNotAllowed(methodsOf(fastify, request)) : undefined);
  });
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    done(null, readForms.get(request.raw) ?? payload);
  });
}

function namesMethod({ method, url }: FastifyRequest, body: UrlEncodedBody): boolean {
  return method === 'POST' && isMainInterface(url) && FORM_METHODS.some((one) => one === body.method);
}

/** Leaves the answer to another reply on the same response, which also logs and measures the request. */
function leave(reply: FastifyReply): void {
  reply.hijack();
  for (const listener of reply.raw.listeners('error') as (() => void)[]) {
    reply.raw.off('error', listener).off('finish', listener);
  }
}
