import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isApi, isMainInterface } from './doors/door';
import type { RequestLimits } from './body/request-limits';
import { MultipartBody } from './body/multipart-body';
import { RawBody, type RawBodyConfig } from './body/raw-body';
import { PIECE_TYPE, StreamedBody } from './body/streamed-body';
import { UrlEncodedBody } from './body/sent-parameters';

/**
 * Takes over all parsing of request bodies. Forms and JSON stay undecoded until they are asked for; JSON is kept for the
 * companion interface and for routes that take it as it is, which some senders declare to be something else; a piece of a
 * file is left for its route to read; a body of any other type is received and ignored. Bodies of GET and HEAD are never
 * read.
 */
export function registerBodyParsers(fastify: FastifyInstance, limits: RequestLimits): void {
  const buffered = { parseAs: 'buffer', bodyLimit: limits.bodyBytes } as const;
  limitJsonBodies(fastify, limits);
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<Buffer>(
    'application/x-www-form-urlencoded',
    buffered,
    (request, bytes, done) =>
      done(
        null,
        wantsBytes(request) && looksLikeJson(bytes) ? new RawBody(bytes) : new UrlEncodedBody(bytes),
      ),
  );
  fastify.addContentTypeParser('multipart/form-data', (request, payload, done) => {
    done(
      null,
      new MultipartBody(payload, request.headers['content-type'] ?? '', bodyLength(request), limits),
    );
  });
  fastify.addContentTypeParser(PIECE_TYPE, (_request, payload, done) =>
    done(null, new StreamedBody(payload)),
  );
  fastify.addContentTypeParser<Buffer>('application/json', buffered, (request, bytes, done) =>
    done(null, readsJson(request) || wantsBytes(request) ? new RawBody(bytes) : undefined),
  );
  fastify.addContentTypeParser<Buffer>('*', buffered, (request, bytes, done) =>
    done(null, isMainInterface(request.url) && wantsBytes(request) ? new RawBody(bytes) : undefined),
  );
}

function wantsBytes({ routeOptions }: FastifyRequest): boolean {
  return takesRawBody(routeOptions);
}

/** The length of the body in bytes; null if only its end will tell. */
function bodyLength({ headers }: FastifyRequest): number | null {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;
}

/** Strangers may call some of these routes, none of which needs a large body. */
function limitJsonBodies(fastify: FastifyInstance, limits: RequestLimits): void {
  fastify.addHook('onRoute', (route) => {
    if (readsJson(route) && !takesRawBody(route)) route.bodyLimit = limits.jsonBytes;
  });
}

function readsJson({ url }: { readonly url: string }): boolean {
  return isApi(url) && !isMainInterface(url);
}

/** Whether a route wants the bytes of its body. */
function takesRawBody({ config }: { readonly config?: object }): boolean {
  const asked: RawBodyConfig = config ?? {};
  return asked.rawBody === true;
}

/** Whether bytes begin like a JSON object or list, which no form does. */
function looksLikeJson(bytes: Buffer): boolean {
  const first = bytes.find((byte) => byte > SPACE);
  return first === OPEN_OBJECT || first === OPEN_ARRAY;
}

const SPACE = 0x20;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
