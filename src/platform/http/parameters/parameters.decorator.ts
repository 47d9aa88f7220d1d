import {
  createParamDecorator,
  type ArgumentMetadata,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { sentParameters } from '../request';
import { decodeParameters, declaredParameters, type DtoClass } from './declared-parameters';

/** Where `@Parameters()` stands in a handler's arguments. */
const POSITION = 'parley:parameters';

const ParametersArgument = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<FastifyRequest>(),
);

/** Turns the request into the DTO named by the argument's type. */
const decodePipe: PipeTransform<FastifyRequest, object> = {
  transform(request: FastifyRequest, { metatype }: ArgumentMetadata) {
    return decodeParameters(
      metatype as DtoClass,
      sentParameters(request),
      request.params as Readonly<Record<string, string>>,
    );
  },
};

/** An argument of a handler: the decoded and validated DTO, an instance of the argument's type. */
export function Parameters(): ParameterDecorator {
  return (prototype, key, index) => {
    Reflect.defineMetadata(POSITION, index, prototype, key!);
    ParametersArgument(decodePipe)(prototype, key, index);
  };
}

/** The DTO of a route, or null where the route declares no parameters. */
export function parametersOf(controller: DtoClass, handlerName: string): DtoClass | null {
  const prototype = controller.prototype as object;
  const position = Reflect.getMetadata(POSITION, prototype, handlerName) as number | undefined;
  const types = Reflect.getMetadata('design:paramtypes', prototype, handlerName) as DtoClass[] | undefined;
  return position === undefined ? null : (types?.[position] ?? null);
}

/** Names that a route reads from query string or form; `client` may stand in any request (reference A2). */
export function supportedNames(dto: DtoClass | null): ReadonlySet<string> {
  const read = dto === null ? [] : declaredParameters(dto).filter((parameter) => !parameter.inPath);
  return new Set(['client', ...read.flatMap((parameter) => parameter.names)]);
}
