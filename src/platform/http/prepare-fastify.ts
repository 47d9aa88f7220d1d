import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import { registerMethods, registerSecondPaths } from './methods';
import { registerBodyParsers } from './body-parsers';
import { DEFAULT_REQUEST_LIMITS, type RequestLimits, strangerLimits } from './body/request-limits';
import './body/sent-parameters';
import { JoinedMessage } from './body/unread-body';
import { throughDoor } from './doors/door';
import { SuccessAnswers } from './envelope.interceptor';
import { answerParserError, answerRouterError, registerConnectionErrors } from './error-answer';
import { registerLaterAnswers } from './later-answers';
import { OLDEST_TLS, type TlsIdentity } from './tls';
import { registerSecurityHeaders, Transport, type TransportSettings } from './transport-security';
import { registerUnreadAnswers, type UnreadLimits } from './unread-answers';
import { registerUnreadBodies } from './unread-bodies';
import { ApiError } from '../errors/api-error';
import { MisdirectedRequest, ServerStopping, WritesPaused } from '../errors/request.errors';

/** The format of `Host`: a name or an IPv6 address in brackets, optionally with a port. */
const HOST = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{0,5})?$/;

/**
 * The allowed hosts. Without this, another site could make its own name resolve to this server (DNS rebinding): for a
 * browser, the pages of that site would then have the same origin as this server, and could read its responses.
 */
class AllowedHosts {
  private readonly names = new Set(['localhost']);
  private readonly suffixes: string[] = ['.localhost'];
  /** Almost all requests name the same host. */
  private last: string | undefined;

  /** @param hosts names in lower case; `*.example.com` includes every name below `example.com` */
  constructor(hosts: readonly string[]) {
    for (const host of hosts) {
      if (host.startsWith('*.')) this.suffixes.push(host.slice(1));
      else this.names.add(host);
    }
  }

  /** @param host the value of `Host` or `X-Forwarded-Host` */
  includes(host: string): boolean {
    if (host === this.last) return true;
    const isIncluded = this.includesName(nameIn(host));
    if (isIncluded) this.last = host;
    return isIncluded;
  }

  /**
   * IP addresses are always allowed, for health checks and local networks: DNS rebinding cannot change them, so a page
   * with such an origin comes from this server.
   */
  private includesName(name: string): boolean {
    return this.names.has(name) || isIP(name) !== 0 || this.suffixes.some((suffix) => name.endsWith(suffix));
  }
}

/** The name or address in lower case, without its port and trailing dot; empty if there is none. */
function nameIn(host: string): string {
  const [, address, name = ''] = HOST.exec(host) ?? [];
  return address ?? name.toLowerCase().replace(/\.$/, '');
}

/**
 * Refuses requests for other hosts before doing anything else. `X-Forwarded-Host` from a trusted proxy must match too,
 * but never replaces `Host`: on the proxy's machine, a page can send it as well.
 */
function registerAllowedHosts(fastify: FastifyInstance, hosts: readonly string[]): void {
  const allowed = new AllowedHosts(hosts);
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { host } = request.headers;
    if (host === undefined) {
      // HTTP 1.0 has no required host, and browsers do not use it.
      done(request.raw.httpVersion === '1.1' ? new ApiError('Missing Host header') : undefined);
      return;
    }
    const isAllowed = allowed.includes(host) && allowed.includes(request.host);
    done(isAllowed ? undefined : new MisdirectedRequest());
  });
}

/** Maximum number of unanswered requests on one connection. Browsers and common libraries wait for each answer. */
const MOST_UNANSWERED = 16;

/**
 * Closes connections with more pipelined requests, because all of their answers would have to be kept: Node reads
 * thousands at a time, without a limit. A refusal would be one more queued answer.
 */
function limitPipelining(fastify: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>();
  fastify.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // Not calling `done` leaves the request to the garbage collector.
    if (socket.destroyed) return;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > MOST_UNANSWERED) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, count);
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    done();
  });
}

/** Settings that differ between servers. */
interface ServerPreparations extends TransportSettings {
  readonly limits?: RequestLimits;
  readonly unreadLimits?: UnreadLimits;
  /** Allowed hosts besides addresses and this machine, in lower case; a leading `*.` includes all names below one. */
  readonly hosts?: readonly string[];
}

/**
 * Prepares a Fastify instance, made with {@link fastifyOptions}, for the Nest application that uses it: everything that
 * happens before a route's guards. Call it before initializing the application, which must be created with `bodyParser:
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
  fastify.decorateRequest('ownLanguage', null);
  fastify.decorateRequest('houseLanguage', null);
  fastify.decorateRequest('door', null);
  fastify.decorateRequest('supportedParameters', null);
  fastify.decorateRequest('ignoredParameters', null);
  fastify.decorateRequest('parameterTexts', null);
  limitPipelining(fastify);
  registerSecurityHeaders(fastify, transport);
  registerAllowedHosts(fastify, hosts);
  registerConnectionErrors(fastify, transport);
  refuseWhileClosing(fastify);
  registerSecondPaths(fastify);
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

/** Read-only methods. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses requests that would write while writes are paused, before doing anything for them.
 * @param arePaused whether writes are paused
 */
export function refusePausedWrites(fastify: FastifyInstance, arePaused: () => boolean): void {
  fastify.addHook('onRequest', ({ method }, _reply, done) =>
    done(arePaused() && !READING.has(method) ? new WritesPaused() : undefined),
  );
}

/** The operator's settings. */
interface ServerSettings extends TransportSettings {
  /** The identity for the server's own TLS; null or absent if it does not use TLS. */
  readonly tls?: TlsIdentity | null;
}

/** Maximum length of a path parameter: an email address with every character escaped, and some margin. */
const MAX_PATH_PARAMETER = 2000;

/** A request, including an upload, must arrive within this time. */
const REQUEST_TIMEOUT_MS = 300_000;

/**
 * A connection without traffic for this long is closed, or after twice that if an answer is stuck on it: its client
 * does not read, or has silently disappeared. Polls are answered sooner, at least with a heartbeat.
 */
const CONNECTION_TIMEOUT_MS = 90_000;

/** Options of the Fastify instance, without logging, which the caller adds. */
export function fastifyOptions({ tls = null, ...settings }: ServerSettings = {}): FastifyHttpOptions<Server> {
  const transport = new Transport(settings);
  return {
    rewriteUrl: throughDoor,
    routerOptions: { ignoreDuplicateSlashes: true, maxParamLength: MAX_PATH_PARAMETER },
    bodyLimit: DEFAULT_REQUEST_LIMITS.bodyBytes,
    trustProxy: (address) => transport.trusts(address),
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    // This layer answers both, so that the answers have its headers.
    return503OnClosing: false,
    http: { requireHostHeader: false, IncomingMessage: JoinedMessage },
    // Fastify supports both kinds of server; its types require a choice at compile time.
    ...((tls && {
      https: { ...tls, minVersion: OLDEST_TLS, requireHostHeader: false, IncomingMessage: JoinedMessage },
    }) as object),
    clientErrorHandler: (error, socket) => answerParserError(error, socket, transport),
    frameworkErrors: (error, request, reply) => answerRouterError(error, request, reply, transport),
  };
}
