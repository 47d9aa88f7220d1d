import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest, RouteOptions } from 'fastify';
import { UnsupportedBody } from '../../errors/request.errors';
import { readJsonBytes } from './json-text';

/**
 * A JSON body as it arrived: a signature may cover its bytes. It is parsed only on demand, so that refused callers cost
 * nothing.
 */
export class RawBody {
  constructor(readonly bytes: Buffer) {}

  /** @throws BadRequest where it is no JSON */
  json(): unknown {
    return readJsonBytes(this.bytes);
  }
}

interface RawBodyConfig {
  readonly rawBody?: boolean;
}

/** The route gets its body unparsed ({@link SentBody}); it may be as large as a form. */
export const TakesRawBody = () => RouteConfig({ rawBody: true } satisfies RawBodyConfig);

/** Whether a route wants the bytes of its body. */
export function takesRawBody({ config }: RouteOptions): boolean {
  const asked: RawBodyConfig = config ?? {};
  return asked.rawBody === true;
}

/** The body of a route that {@link TakesRawBody}, as an argument of its handler. */
export const SentBody = createParamDecorator((_: unknown, context: ExecutionContext): RawBody => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  if (body instanceof RawBody) return body;
  throw new UnsupportedBody('The body must be JSON (content-type: application/json)');
});
