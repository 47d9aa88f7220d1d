import { ParameterProblem } from '../../errors/request.errors';
import type { JsonSchema, WireType } from './json-type';

/** The class of a DTO. */
export type DtoClass<T extends object = object> = new () => T;

/** How a parameter is read. */
export interface ParameterOptions<T> {
  /** Whether it may be absent; the property is then absent too. */
  optional?: boolean;
  /** The value of an absent parameter. Arrays and objects are frozen, because requests share them. */
  default?: T;
  /** A value for the API description; needed if the format is not plain text. */
  example?: T;
  /** Further names under which the parameter is accepted; sending two of them is refused. */
  aliases?: readonly string[];
  /** For the API description: constraints that the service checks although the type allows more. */
  checked?: JsonSchema;
}

/** One declared parameter of a DTO. */
export interface DeclaredParameter {
  /** Property of the DTO, which is also the parameter's name on the wire. */
  readonly property: string;
  /** The name and its aliases, in order of precedence. */
  readonly names: readonly string[];
  /** Whether the value comes from the path; the same name in the form or query is then unsupported. */
  readonly inPath: boolean;
  readonly required: boolean;
  /** The value of an absent parameter; undefined leaves the property absent. */
  readonly fallback: unknown;
  /** For the API description. */
  readonly example: unknown;
  readonly type: WireType<unknown>;
}

/**
 * A parameter of the query string or the form. Decoding, its messages, the names of ignored parameters and the API
 * description are all derived from this declaration. Decorators of class-transformer and class-validator on the same
 * property receive the decoded value.
 */
export function Parameter<T>(type: WireType<T>, options: ParameterOptions<T> = {}): PropertyDecorator {
  const { optional = false, default: fallback, aliases = [], example, checked } = options;
  const required = !optional && fallback === undefined;
  return (prototype, key) => {
    const property = String(key);
    const names = [property, ...aliases];
    declare(prototype, {
      property,
      names,
      inPath: false,
      required,
      fallback: Object.freeze(fallback),
      example,
      type: checked ? { ...type, jsonSchema: { ...type.jsonSchema, ...checked } } : type,
    });
  };
}

/** Stands for an ID in a path that is too large for the column; no row has it. */
const IMPOSSIBLE_ID = 2 ** 31 - 1;

const pathId: WireType<number> = {
  jsonSchema: { type: 'integer', minimum: 0 },
  decode(text, at) {
    if (!/^\d+$/.test(text)) {
      throw new ParameterProblem(`${at} is not an integer`);
    }
    return Math.min(Number(text), IMPOSSIBLE_ID);
  },
};

/**
 * A parameter of the path, named like its property: digits, unless a type is given.
 * @param options whether a second path of the route omits it
 */
export function PathParameter(
  type: WireType<unknown> = pathId,
  { optional = false }: Pick<ParameterOptions<never>, 'optional'> = {},
): PropertyDecorator {
  return (prototype, key) => {
    const property = String(key);
    const names = [property];
    declare(prototype, {
      property,
      names,
      inPath: true,
      required: !optional,
      fallback: undefined,
      example: undefined,
      type,
    });
  };
}

const declarations = new WeakMap<object, DeclaredParameter[]>();

function declare(prototype: object, parameter: DeclaredParameter): void {
  const own = declarations.get(prototype) ?? [];
  declarations.set(prototype, [...own, parameter]);
}

/** All parameters of a DTO in the order in which problems are reported: base classes first. */
export function declaredParameters(dto: DtoClass): readonly DeclaredParameter[] {
  const levels: DeclaredParameter[][] = [];
  for (let level = dto.prototype as object | null; level !== null; level = prototypeOf(level)) {
    levels.unshift(declarations.get(level) ?? []);
  }
  const all = levels.flat();
  const names = all.flatMap((parameter) => parameter.names);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw new Error(`${dto.name} declares the parameter '${repeated}' twice`);
  }
  return all;
}

function prototypeOf(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null;
}
