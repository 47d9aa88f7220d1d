import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ParameterProblem } from '../errors/request.errors';
import { isApi, isMainInterface } from './envelope.interceptor';
import type { RequestLimits } from './body/request-limits';
import { readJsonBytes } from './body/json-text';
import { MultipartBody } from './body/multipart-body';
import { RawBody, takesRawBody } from './body/raw-body';
import { UrlEncodedBody } from './body/sent-parameters';

/**
 * Takes over all parsing of request bodies. Forms stay undecoded until parameters are asked for; JSON is read for the
 * companion interface only, where routes may ask for its bytes; a body of any other type is received and ignored.
 * Bodies of GET and HEAD are never read.
 */
export function registerBodyParsers(fastify: FastifyInstance, limits: RequestLimits): void {
  const buffered = { parseAs: 'buffer', bodyLimit: limits.bodyBytes } as const;
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<Buffer>(
    'application/x-www-form-urlencoded',
    buffered,
    (_request, bytes, done) => done(null, new UrlEncodedBody(bytes)),
  );
  fastify.addContentTypeParser('multipart/form-data', (request, payload, done) => {
    done(
      null,
      new MultipartBody(payload, request.headers['content-type'] ?? '', bodyLength(request), limits),
    );
  });
  fastify.addContentTypeParser<Buffer>('application/json', buffered, (request, bytes, done) => {
    if (takesRawBody(request)) {
      done(null, new RawBody(bytes));
    } else if (readsJson(request)) {
      parseJsonBody(bytes, done);
    } else {
      done(null, undefined);
    }
  });
  fastify.addContentTypeParser('*', buffered, (_request, _bytes, done) => done(null, undefined));
}

/** The length of the body in bytes; null if only its end will tell. */
function bodyLength({ headers }: FastifyRequest): number | null {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;
}

function readsJson(request: FastifyRequest): boolean {
  return isApi(request.url) && !isMainInterface(request.url);
}

function parseJsonBody(bytes: Buffer, done: (error: Error | null, body?: unknown) => void): void {
  let body: unknown;
  try {
    body = bytes.length === 0 ? undefined : readJsonBytes(bytes);
  } catch (error) {
    done(error as ParameterProblem);
    return;
  }
  done(null, body);
}
