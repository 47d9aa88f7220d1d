import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import { answerParserError, answerRouterError } from './connection-errors';
import { throughDoor } from './doors/door';
import { JoinedMessage } from './body/unread-body';
import { DEFAULT_REQUEST_LIMITS } from './body/request-limits';
import { OLDEST_TLS, type TlsIdentity } from './tls';
import { Transport, type TransportSettings } from './transport-security';

/** The settings of the operator. */
export interface ServerSettings extends TransportSettings {
  /** The identity with which the server speaks TLS itself; null or absent if it does not. */
  readonly tls?: TlsIdentity | null;
}

/** Longest path parameter: an e-mail address with every character escaped, and some margin. */
const MAX_PATH_PARAMETER = 2000;

/** A request, including an upload, must arrive within this time. */
const REQUEST_TIMEOUT_MS = 300_000;

/**
 * A connection on which nothing moves for this long is closed, or after twice that where an answer is stuck on it: its client
 * takes nothing, or is gone without a word. Polls are answered sooner, if only with a heartbeat.
 */
const CONNECTION_TIMEOUT_MS = 90_000;

/** Options of the Fastify instance, except logging, which the caller adds. */
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
    // Both are answered by this layer, so that the answers carry their headers.
    return503OnClosing: false,
    http: { requireHostHeader: false, IncomingMessage: JoinedMessage },
    // Fastify supports both kinds of server; its types demand a choice at compile time.
    ...((tls && {
      https: { ...tls, minVersion: OLDEST_TLS, requireHostHeader: false, IncomingMessage: JoinedMessage },
    }) as object),
    clientErrorHandler: (error, socket) => answerParserError(error, socket, transport),
    frameworkErrors: (error, request, reply) => answerRouterError(error, request, reply, transport),
  };
}
