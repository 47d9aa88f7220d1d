import {
  type ArgumentMetadata,
  createParamDecorator,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import { plainToInstance, TransformationType, type TransformOptions } from 'class-transformer';
import { defaultMetadataStorage as transformer } from 'class-transformer/cjs/storage';
import { getMetadataStorage, validate, type ValidationError } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { type DeclaredParameter, declaredParameters, type DtoClass } from './parameter.decorator';
import { ConfusingParameters, MissingParameter, ParameterProblem } from '../../errors/request.errors';
import { BadRequest } from '../../errors/shared.errors';
import { countItems, MAX_VALUES } from '../body/json-text';
import { sentParameters } from '../body/sent-parameters';

/** Applies the class-transformer and class-validator decorators of a DTO to its decoded values. */
type FurtherStep<T extends object> = (values: T) => Promise<T>;

/**
 * Collects, once, the decorators of class-transformer and class-validator on a DTO. If there are any, both libraries
 * run unchanged for each request: `@Transform`, `@Type` and the like on decoded values, then every check. Groups make
 * no difference, because a request names none: decorators of all groups apply.
 * @param properties that have a parameter, in the order in which problems are reported
 * @returns null for a DTO without such decorators, which is complete once decoded
 */
function furtherStep<T extends object>(
  dto: new () => T,
  properties: readonly string[],
): FurtherStep<T> | null {
  const transform = transformStep(dto, properties);
  const hasChecks = getMetadataStorage().getTargetValidationMetadatas(dto, dto.name, false, false).length > 0;
  if (transform === null && !hasChecks) return null;
  return async (values) => {
    const input = transform === null ? values : transform(values);
    if (hasChecks) await check(input, properties);
    return input;
  };
}

function transformStep<T extends object>(
  dto: new () => T,
  properties: readonly string[],
): ((values: T) => T) | null {
  const transforms = properties.flatMap((property) =>
    transformer.findTransformMetadatas(dto, property, TransformationType.PLAIN_TO_CLASS),
  );
  const exposures = [...transformer.getExposedMetadatas(dto), ...transformer.getExcludedMetadatas(dto)];
  const isTyped = properties.some((property) => transformer.findTypeMetadata(dto, property) !== undefined);
  const isPlain = transformer.getStrategy(dto) === 'none' && !isTyped;
  if (isPlain && transforms.length === 0 && exposures.length === 0) return null;
  const options = [...transforms, ...exposures].map((metadata) => metadata.options as TransformOptions);
  const groups = options.flatMap((each) => each?.groups ?? []);
  return (values) => plainToInstance(dto, { ...values }, { groups, exposeUnsetFields: false });
}

/** @throws BadRequest for the first problem in declaration order */
async function check(input: object, properties: readonly string[]): Promise<void> {
  const errors = await validate(input, { validationError: { target: false, value: false } });
  const position = ({ property }: ValidationError) => properties.indexOf(property) + 1 || Infinity;
  const [first] = errors.sort((one, other) => position(one) - position(other));
  if (first !== undefined) throw new BadRequest(sentence(first, ''));
}

/**
 * The message of an error, or of the first nested one; messages of class-validator begin with a property name, which is
 * expanded to its path.
 */
function sentence({ property, constraints, children = [] }: ValidationError, parent: string): string {
  const at = /^\d+$/.test(property ?? '')
    ? `${parent}[${property}]`
    : [parent, property].filter(Boolean).join('.');
  const message = Object.values(constraints ?? {})[0];
  if (message === undefined) return children[0] ? sentence(children[0], at) : 'Invalid parameters';
  if (parent === '') return message;
  return message.startsWith(`${property} `) ? at + message.slice(property.length) : `${at}: ${message}`;
}

/** Metadata key for the position of `@Parameters()` among a handler's arguments. */
const POSITION = 'parley:parameters';

const ParametersArgument = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<FastifyRequest>(),
);

/** Decodes the request into the DTO of the argument's type. */
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

/** The DTO of a route, or null if it declares no parameters. */
export function parametersOf(controller: DtoClass, handlerName: string): DtoClass | null {
  const prototype = controller.prototype as object;
  const position = Reflect.getMetadata(POSITION, prototype, handlerName) as number | undefined;
  const types = Reflect.getMetadata('design:paramtypes', prototype, handlerName) as DtoClass[] | undefined;
  return position === undefined ? null : (types?.[position] ?? null);
}

/** Names that a route reads from the query string or form; `client` is allowed in every request. */
export function supportedNames(dto: DtoClass | null): ReadonlySet<string> {
  const read = dto === null ? [] : declaredParameters(dto).filter((parameter) => !parameter.inPath);
  return new Set(['client', ...read.flatMap((parameter) => parameter.names)]);
}

/** Computed once per DTO. */
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
 * Creates a DTO from a request: decodes each declared parameter, then runs class-transformer and class-validator if the
 * DTO carries their decorators.
 * @param sent text by name, of query string and form
 * @param path text by name, of the path
 * @throws ApiError for the first problem in declaration order; decoding problems come first
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

/** The value of one parameter; undefined if it is optional and absent. */
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

/** Counts the values in all JSON of a request, so that many parameters together stay within the limit of one. */
class JsonItems {
  private found = 0;
  /** Each value takes at least two characters, so few requests have to be counted. */
  private readonly isLarge: boolean;

  constructor(private readonly sent: ReadonlyMap<string, string>) {
    let characters = 0;
    for (const text of sent.values()) characters += text.length;
    this.isLarge = characters > 2 * MAX_VALUES;
  }

  /** @throws ParameterProblem if the total including this parameter is too high */
  count({ names, type }: DeclaredParameter): void {
    if (!this.isLarge || !('limits' in type)) return;
    for (const name of names) this.found += countItems(this.sent.get(name) ?? '', name);
    if (this.found > MAX_VALUES) {
      throw new ParameterProblem(`Too many parameter values in total (limit: ${MAX_VALUES})`);
    }
  }
}
