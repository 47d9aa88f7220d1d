import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import { answerParserError, answerRouterError } from './connection-errors';
import { DEFAULT_REQUEST_LIMITS } from './request-limits';

/** What the operator decides. */
export interface ServerSettings {
  /** Addresses or networks whose `X-Forwarded-*` headers are believed. */
  readonly trustedProxies: readonly string[];
}

/** Longest path parameter: an e-mail address with every character escaped, and room to spare. */
const MAX_PATH_PARAMETER = 2000;

/** A request, upload included, has to arrive within this time. */
const REQUEST_TIMEOUT_MS = 300_000;

/** Options of the Fastify instance, but for logging, which the caller adds. */
export function fastifyOptions({ trustedProxies }: ServerSettings): FastifyHttpOptions<Server> {
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
    clientErrorHandler: (error, socket) => answerParserError(error, socket),
    frameworkErrors: (error, request, reply) => answerRouterError(error, request, reply),
  };
}
