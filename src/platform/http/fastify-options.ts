import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import { answerParserError, answerRouterError } from './connection-errors';
import { DEFAULT_REQUEST_LIMITS } from './request-limits';
import { OLDEST_TLS, type TlsIdentity } from './tls';

/** What the operator decides. */
export interface ServerSettings {
  /** Addresses or networks whose `X-Forwarded-*` headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Whether clients always reach the server through TLS, whatever a request says. */
  readonly behindTls?: boolean;
  /** With which the server speaks TLS itself; null or absent where it does not. */
  readonly tls?: TlsIdentity | null;
}

/** Longest path parameter: an e-mail address with every character escaped, and room to spare. */
const MAX_PATH_PARAMETER = 2000;

/** A request, upload included, has to arrive within this time. */
const REQUEST_TIMEOUT_MS = 300_000;

/** Options of the Fastify instance, but for logging, which the caller adds. */
export function fastifyOptions(settings: ServerSettings): FastifyHttpOptions<Server> {
  const { trustedProxies, behindTls = false, tls = null } = settings;
  return {
    routerOptions: { ignoreDuplicateSlashes: true, maxParamLength: MAX_PATH_PARAMETER },
    bodyLimit: DEFAULT_REQUEST_LIMITS.bodyBytes,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Both are answered by this layer, so that the answers carry their headers.
    return503OnClosing: false,
    http: { requireHostHeader: false },
    // Fastify knows both kinds of server; its types make a choice of them that a program cannot leave open.
    ...((tls && { https: { ...tls, minVersion: OLDEST_TLS, requireHostHeader: false } }) as object),
    clientErrorHandler: (error, socket) => answerParserError(error, socket, behindTls),
    frameworkErrors: (error, request, reply) => answerRouterError(error, request, reply, behindTls),
  };
}
