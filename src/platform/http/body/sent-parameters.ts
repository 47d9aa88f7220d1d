import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../actor';
import { MultipartBody } from './multipart-body';
import { parseUrlEncoded, UrlEncodedBody } from './url-encoded';
import type { RequestLimits } from './request-limits';

/** What this layer adds to Fastify; prepareFastify() declares the properties at run time. */
declare module 'fastify' {
  interface FastifyRequest {
    /** Who is acting, set by the authentication guard; null for whoever sent no credentials. */
    actor: Actor | null;
    /** The session whose token was sent; null on the main interface, which has none. */
    sessionId: string | null;
    /** Names of the parameters that the route reads; null where nobody looked. */
    supportedParameters: ReadonlySet<string> | null;
    /** Names of the parameters that were sent but are not supported, sorted; null where nobody looked. */
    ignoredParameters: readonly string[] | null;
    /** Memory of {@link sentParameters}. */
    parameterTexts: ReadonlyMap<string, string> | null;
  }
  interface FastifyInstance {
    requestLimits: RequestLimits;
  }
}

/**
 * Every parameter of the request as text: query string and form together, the form winning, of a name
 * sent twice the last. A multipart body counts as far as it has been read: not at all in
 * guards, entirely in handlers, and on file routes up to the file.
 * @throws BadRequest when the text is no form, or too much of one.
 */
export function sentParameters(request: FastifyRequest): ReadonlyMap<string, string> {
  if (request.body instanceof MultipartBody) {
    return combine(request, request.body.fields);
  }
  request.parameterTexts ??= combine(request, formFields(request));
  return request.parameterTexts;
}

type Pairs = Iterable<readonly [string, string]>;

function combine(request: FastifyRequest, form: Pairs): ReadonlyMap<string, string> {
  const url = request.raw.url ?? '';
  const query = url.indexOf('?');
  const parameters = new Map(
    query < 0 ? [] : parseUrlEncoded(url.slice(query + 1), request.server.requestLimits),
  );
  for (const [name, value] of form) {
    parameters.set(name, value);
  }
  return parameters;
}

function formFields(request: FastifyRequest): Pairs {
  return request.body instanceof UrlEncodedBody ? request.body.fields(request.server.requestLimits) : [];
}
