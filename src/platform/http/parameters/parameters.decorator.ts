import {
  createParamDecorator,
  type ArgumentMetadata,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ConfusingParameters, MissingParameter, ParameterProblem } from '../../errors/request.errors';
import { countItems, MAX_VALUES } from '../body/json-text';
import { sentParameters } from '../body/sent-parameters';
import { furtherStep, type FurtherStep } from './further-decorators';
import { declaredParameters, type DeclaredParameter, type DtoClass } from './parameter.decorator';

/** Metadata key for the position of `@Parameters()` among a handler's arguments. */
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

/** Names that a route reads from query string or form; `client` is allowed in every request. */
export function supportedNames(dto: DtoClass | null): ReadonlySet<string> {
  const read = dto === null ? [] : declaredParameters(dto).filter((parameter) => !parameter.inPath);
  return new Set(['client', ...read.flatMap((parameter) => parameter.names)]);
}

/** What is worked out once for each DTO. */
interface DtoPlan<T extends object> {
  readonly parameters: readonly DeclaredParameter[];
  readonly further: FurtherStep<T> | null;
}

const plans = new WeakMap<DtoClass, DtoPlan<object>>();

function planOf<T extends object>(dto: DtoClass<T>): DtoPlan<T> {
  let plan = plans.get(dto) as DtoPlan<T> | undefined;
  if (plan === undefined) {
    const parameters = declaredParameters(dto);
    const properties = parameters.map(({ property }) => property);
    plan = { parameters, further: furtherStep(dto, properties) };
    plans.set(dto, plan as unknown as DtoPlan<object>);
  }
  return plan;
}

/**
 * Makes a DTO from a request: decodes each declared parameter, then runs class-transformer and class-validator if the
 * DTO carries their decorators.
 * @param sent text by name, of query string and form
 * @param path text by name, of the path
 * @throws ApiError the first problem in the order of declaration; decoding problems come before all others
 */
export function decodeParameters<T extends object>(
  dto: DtoClass<T>,
  sent: ReadonlyMap<string, string>,
  path: Readonly<Record<string, string>>,
): T | Promise<T> {
  const { parameters, further } = planOf(dto);
  const values = new dto();
  const inForm = (name: string) => sent.get(name);
  // A trailing wildcard, as in `navigation_views/*`, has no name.
  const inPath = (name: string) => path[name] ?? path['*'];
  const items = new JsonItems(sent);
  for (const parameter of parameters) {
    const value = decode(parameter, parameter.inPath ? inPath : inForm);
    if (!parameter.inPath) items.count(parameter);
    if (value !== undefined) (values as Record<string, unknown>)[parameter.property] = value;
  }
  return further === null ? values : further(values);
}

/** The value of one parameter; undefined when it is absent and may be. */
function decode(
  { names, required, fallback, type }: DeclaredParameter,
  textOf: (name: string) => string | undefined,
): unknown {
  const [name, other] =
    names.length === 1 ? names : names.filter((candidate) => textOf(candidate) !== undefined);
  const text = name === undefined ? undefined : textOf(name);
  if (other !== undefined) throw new ConfusingParameters(name!, other);
  if (text !== undefined) return type.decode(text, name!);
  if (required) throw new MissingParameter(names[0]!);
  return fallback;
}

/** Counts the values in the JSON of a request as it is read, so that many parameters do not add up to what none may have. */
class JsonItems {
  private found = 0;
  /** Each value takes two characters at least, so that hardly any request has to be counted. */
  private readonly isLarge: boolean;

  constructor(private readonly sent: ReadonlyMap<string, string>) {
    let characters = 0;
    for (const text of sent.values()) characters += text.length;
    this.isLarge = characters > 2 * MAX_VALUES;
  }

  /** @throws ParameterProblem where there are too many with those of this parameter */
  count({ names, type }: DeclaredParameter): void {
    if (!this.isLarge || !('limits' in type)) return;
    for (const name of names) this.found += countItems(this.sent.get(name) ?? '', name);
    if (this.found > MAX_VALUES) {
      throw new ParameterProblem(`Too many parameter values in total (limit: ${MAX_VALUES})`);
    }
  }
}
