import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isApi, isMainInterface } from './doors/door';
import { MultipartBody } from './body/multipart-body';
import { RawBody, type RawBodyConfig } from './body/raw-body';
import { PIECE_TYPE, StreamedBody } from './body/streamed-body';
import { type RequestLimits } from './body/request-limits';
import { UrlEncodedBody } from './body/sent-parameters';
import { type ReadBody, UnreadBody } from './body/unread-body';

/** Bodies of rerouted requests that were already read. */
const carried = new WeakMap<IncomingMessage, unknown>();

/** Keeps the body of a request when it is rerouted. */
export function carryBody({ raw, body }: FastifyRequest): void {
  carried.set(raw, body);
}

/**
 * Takes over all parsing of request bodies. No body is read before the guards know its sender. Forms and JSON stay
 * undecoded until they are needed; JSON is kept for the companion interface and for routes that take it raw, even if
 * its sender declares another type; forms with files and pieces of a file are left for their routes to read; a body of
 * any other type is received and ignored. Bodies of GET and HEAD are never read.
 */
export function registerBodyParsers(fastify: FastifyInstance): void {
  const parse = (type: string, make: (request: FastifyRequest) => unknown) =>
    fastify.addContentTypeParser(type, (request, _payload, done) =>
      done(null, carried.get(request.raw) ?? make(request)),
    );
  fastify.removeAllContentTypeParsers();
  parse('application/x-www-form-urlencoded', (request) =>
    unread(request, takesRawBody(request) ? asFormOrJson : asForm),
  );
  parse(
    'multipart/form-data',
    (request) => new MultipartBody(request.raw, request.headers['content-type'] ?? '', bodyLength(request)),
  );
  parse(PIECE_TYPE, ({ raw }) => new StreamedBody(raw));
  parse('application/json', (request) =>
    unread(request, readsJson(request) || takesRawBody(request) ? asJson : asNothing),
  );
  parse('application/scim+json', (request) => unread(request, takesRawBody(request) ? asJson : asNothing));
  parse('*', (request) =>
    unread(request, isMainInterface(request.url) && takesRawBody(request) ? asJson : asNothing),
  );
}

function unread(
  request: FastifyRequest,
  make: (bytes: Buffer, limits: RequestLimits) => ReadBody,
): UnreadBody {
  const limit = readsJson(request) && !takesRawBody(request) ? 'jsonBytes' : 'bodyBytes';
  return new UnreadBody(request.raw, bodyLength(request), { limit, make });
}

const asForm = (bytes: Buffer, limits: RequestLimits) => new UrlEncodedBody(bytes, limits);
const asJson = (bytes: Buffer, limits: RequestLimits) => new RawBody(bytes, limits);
const asFormOrJson = (bytes: Buffer, limits: RequestLimits) =>
  looksLikeJson(bytes) ? asJson(bytes, limits) : asForm(bytes, limits);
const asNothing = () => undefined;

/** The length of the body in bytes; null if unknown before its end. */
function bodyLength({ headers }: FastifyRequest): number | null {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;
}

function readsJson({ url }: { readonly url: string }): boolean {
  return isApi(url) && !isMainInterface(url);
}

/** Whether the route wants the bytes of its body. */
function takesRawBody({ routeOptions }: FastifyRequest): boolean {
  const asked: RawBodyConfig = routeOptions.config as object;
  return asked.rawBody === true;
}

/** Whether the bytes begin like a JSON object or list, which no form does. */
function looksLikeJson(bytes: Buffer): boolean {
  const first = bytes.find((byte) => byte > SPACE);
  return first === OPEN_OBJECT || first === OPEN_ARRAY;
}

const SPACE = 0x20;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
