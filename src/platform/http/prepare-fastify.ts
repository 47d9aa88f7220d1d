import type { FastifyInstance } from 'fastify';
import { ServerStopping, WritesPaused } from '../errors/request.errors';
import { registerAllowedHosts } from './allowed-hosts';
import { registerSlashes } from './also-with-slash';
import { registerBodyParsers } from './body-parsers';
import { registerConnectionErrors } from './connection-errors';
import { registerLaterAnswers } from './later-answers';
import { registerMethods } from './methods';
import { limitPipelining } from './pipelining';
import { SuccessAnswers } from './envelope.interceptor';
import './body/sent-parameters';
import { DEFAULT_REQUEST_LIMITS, type RequestLimits, strangerLimits } from './body/request-limits';
import { registerUnreadBodies } from './unread-bodies';
import { registerSecurityHeaders, Transport, type TransportSettings } from './transport-security';
import { registerUnreadAnswers, type UnreadLimits } from './unread-answers';

/** What differs between servers. */
export interface ServerPreparations extends TransportSettings {
  readonly limits?: RequestLimits;
  readonly unreadLimits?: UnreadLimits;
  /** Hosts that the server answers for beside addresses and this machine, in lower case, with `*.` for all names below one. */
  readonly hosts?: readonly string[];
}

/**
 * Prepares a Fastify instance, made with {@link fastifyOptions}, for the Nest application that uses it: everything that
 * happens before a route's guards. Call it before initialising the application, which must be created with `bodyParser:
 * false`.
 */
export function prepareFastify(fastify: FastifyInstance, preparations: ServerPreparations = {}): void {
  const { limits = DEFAULT_REQUEST_LIMITS, hosts = [], unreadLimits } = preparations;
  const transport = new Transport(preparations);
  fastify.decorate('requestLimits', limits);
  fastify.decorate('strangerLimits', strangerLimits(limits));
  fastify.decorate('transport', transport);
  fastify.decorate('successAnswers', new SuccessAnswers());
  fastify.decorateRequest('actor', null);
  fastify.decorateRequest('sessionId', null);
  fastify.decorateRequest('sessionEndsAt', null);
  fastify.decorateRequest('lacksFactor', false);
  fastify.decorateRequest('isRecent', false);
  fastify.decorateRequest('door', null);
  fastify.decorateRequest('supportedParameters', null);
  fastify.decorateRequest('ignoredParameters', null);
  fastify.decorateRequest('parameterTexts', null);
  limitPipelining(fastify);
  registerSecurityHeaders(fastify, transport);
  registerAllowedHosts(fastify, hosts);
  registerConnectionErrors(fastify, transport);
  refuseWhileClosing(fastify);
  registerSlashes(fastify);
  registerLaterAnswers(fastify);
  registerMethods(fastify);
  registerBodyParsers(fastify);
  registerUnreadBodies(fastify);
  registerUnreadAnswers(fastify, unreadLimits);
}

/** Refuses requests that still arrive on open connections while the server stops. */
function refuseWhileClosing(fastify: FastifyInstance): void {
  let closing = false;
  fastify.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  fastify.addHook('onRequest', (_request, _reply, done) => done(closing ? new ServerStopping() : undefined));
}

/** Requests with these methods only read. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses requests that would write, before anything is done for them, while nothing may be stored.
 * @param arePaused whether that is so
 */
export function refusePausedWrites(fastify: FastifyInstance, arePaused: () => boolean): void {
  fastify.addHook('onRequest', ({ method }, _reply, done) =>
    done(arePaused() && !READING.has(method) ? new WritesPaused() : undefined),
  );
}
