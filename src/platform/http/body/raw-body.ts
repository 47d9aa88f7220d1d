import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { readJsonBytes } from './json-text';
import { DEFAULT_REQUEST_LIMITS, type RequestLimits } from './request-limits';
import { sentParameters } from './sent-parameters';
import { UnsupportedBody } from '../../errors/request.errors';

/**
 * A JSON body as it arrived: a signature may cover its bytes. It is parsed only on demand, so that refused callers cost
 * nothing.
 */
export class RawBody {
  constructor(
    readonly bytes: Buffer,
    private readonly limits: RequestLimits = DEFAULT_REQUEST_LIMITS,
  ) {}

  /** @throws BadRequest if it is not JSON, or exceeds the limits */
  json(): unknown {
    return readJsonBytes(this.bytes, this.limits.jsonValues);
  }
}
/** Metadata that {@link TakesRawBody} sets on a route. */
export interface RawBodyConfig {
  readonly rawBody?: boolean;
}
/** The route receives its body unparsed ({@link SentBody}); it may be as large as a form. */
export const TakesRawBody = () => RouteConfig({ rawBody: true } satisfies RawBodyConfig);
/** The body of a route that {@link TakesRawBody}, as an argument of its handler. */
export const SentBody = createParamDecorator((_: unknown, context: ExecutionContext): RawBody => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  if (body instanceof RawBody) return body;
  throw new UnsupportedBody('The body must be JSON (content-type: application/json)');
});
/** A request from another program, in its own format. */
export class ForeignRequest {
  constructor(private readonly request: FastifyRequest) {}

  /** A header, by its name in lower case; null if absent or empty. */
  header(name: string): string | null {
    const value = this.request.headers[name];
    return typeof value === 'string' && value !== '' ? value : null;
  }

  /** A parameter of the URL or of a form; null if absent. */
  parameter(name: string): string | null {
    return sentParameters(this.request).get(name) ?? null;
  }

  /** All parameters of the URL and of a form. */
  get parameters(): ReadonlyMap<string, string> {
    return sentParameters(this.request);
  }

  /** Whether the body is a form rather than JSON. */
  get hasForm(): boolean {
    return !(this.request.body instanceof RawBody);
  }

  /** The parsed body. @throws BadRequest if it is not JSON, or is a form */
  json(): unknown {
    const { body } = this.request;
    return (body instanceof RawBody ? body : new RawBody(Buffer.of())).json();
  }

  /** Marks parameters as supported that are known only from the request's format. */
  knows(isKnown: (name: string) => boolean): void {
    const { supportedParameters, ignoredParameters } = this.request;
    const known = [...this.parameters.keys()].filter(isKnown);
    this.request.supportedParameters = new Set([...(supportedParameters ?? []), ...known]);
    this.request.ignoredParameters = (ignoredParameters ?? []).filter((name) => !isKnown(name));
  }
}
/** The unparsed request, as an argument of a handler with {@link TakesRawBody}. */
export const SentRequest = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    new ForeignRequest(context.switchToHttp().getRequest<FastifyRequest>()),
);
