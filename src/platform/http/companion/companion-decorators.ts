import {
  applyDecorators,
  Controller,
  createParamDecorator,
  type ArgumentMetadata,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { UnprocessableEntity } from '../../errors/companion.errors';
import { NotFound, UnsupportedBody } from '../../errors/request.errors';
import { RawBody } from '../body/raw-body';
import { parseUrlEncoded } from '../body/sent-parameters';
import { BearerTokens } from '../decorators';
import { validInput, type InputClass } from './valid-input';

/** IDs above this exceed the column; no object has one. */
const MAX_ID = 2 ** 31 - 1;

/**
 * A controller of the companion interface: callers send a token, other callers are refused, and refusals have the shape
 * `{"detail": ...}`. Decorators that restrict roles or open a route work as usual.
 * @param path without the leading `api/`
 */
export const CompanionController = (path: string) =>
  applyDecorators(Controller(`api/${path}`), BearerTokens());

const Request = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<FastifyRequest>(),
);

const bodyPipe: PipeTransform<FastifyRequest, object> = {
  transform: (request, { metatype }: ArgumentMetadata) =>
    validInput(metatype as InputClass, jsonBody(request), 'body'),
};

const queryPipe: PipeTransform<FastifyRequest, object> = {
  transform: (request, { metatype }: ArgumentMetadata) =>
    validInput(metatype as InputClass, queryTexts(request), 'query'),
};

/** Metadata keys for the position of each kind of input. */
const POSITIONS = { body: 'parley:json-body', query: 'parley:query' } as const;

/** The JSON body, as an argument of a handler; validated by the decorators of the argument's class. */
export const JsonBody = () => input('body', bodyPipe);

/**
 * The query string, as an argument of a handler, validated likewise; values that the class does not convert stay text.
 */
export const QueryParameters = () => input('query', queryPipe);

function input(
  kind: keyof typeof POSITIONS,
  pipe: PipeTransform<FastifyRequest, object>,
): ParameterDecorator {
  return (prototype, key, index) => {
    Reflect.defineMetadata(POSITIONS[kind], index, prototype, key!);
    Request(pipe)(prototype, key, index);
  };
}

/** The input classes of a handler of the companion interface; null for none. */
export function companionInputOf(
  controller: InputClass,
  handlerName: string,
): Readonly<Record<keyof typeof POSITIONS, InputClass | null>> {
  const prototype = controller.prototype as object;
  const types = Reflect.getMetadata('design:paramtypes', prototype, handlerName) as InputClass[] | undefined;
  const classAt = (kind: keyof typeof POSITIONS) => {
    const position = Reflect.getMetadata(POSITIONS[kind], prototype, handlerName) as number | undefined;
    return position === undefined ? null : (types?.[position] ?? null);
  };
  return { body: classAt('body'), query: classAt('query') };
}

/** An ID in the path, as an argument of a handler. An invalid or too large ID matches no object. */
export const PathId = createParamDecorator((name: string, context: ExecutionContext): number => {
  const { params } = context.switchToHttp().getRequest<FastifyRequest>();
  const text = (params as Readonly<Record<string, string>>)[name] ?? '';
  const id = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (!(id <= MAX_ID)) throw new NotFound();
  return id;
});

/** @throws UnsupportedBody, UnprocessableEntity, ParameterProblem */
function jsonBody({ body, headers }: FastifyRequest): unknown {
  const type = headers['content-type'];
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) {
    throw new UnsupportedBody('The body must be JSON (content-type: application/json)');
  }
  if (!(body instanceof RawBody) || body.bytes.length === 0) {
    throw new UnprocessableEntity([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
  }
  return body.json();
}

/** Of a repeated name, the last value wins. */
function queryTexts({ raw, server }: FastifyRequest): Record<string, string> {
  const url = raw.url ?? '';
  const query = url.indexOf('?');
  return query < 0 ? {} : Object.fromEntries(parseUrlEncoded(url.slice(query + 1), server.requestLimits));
}
