import { getMetadataStorage, validateSync } from 'class-validator';
import { ApiError } from '../../errors/api-error';
import { ConfusingParameters, MissingParameter } from '../../errors/request.errors';
import { BadRequest } from '../../errors/shared.errors';
import type { WireType } from './wire-type';

/** The class of a DTO. */
export type DtoClass<T extends object = object> = new () => T;

/** One declared parameter of a DTO. */
export interface DeclaredParameter {
  /** Property of the DTO, which is also the parameter's name on the wire. */
  readonly property: string;
  /** The name and its aliases, in the order in which they are looked for. */
  readonly names: readonly string[];
  /** Whether the value comes from the path; the same name in the form or query is then not supported. */
  readonly inPath: boolean;
  readonly required: boolean;
  /** Stands in for an absent parameter; undefined leaves the property absent. */
  readonly fallback: unknown;
  readonly type: WireType<unknown>;
}

/** Stands in a property for a value that was refused, until validation reports it. */
export class Refusal {
  constructor(readonly error: ApiError) {}
}

const declarations = new WeakMap<object, DeclaredParameter[]>();
const completed = new WeakMap<object, readonly DeclaredParameter[]>();

/** Adds a parameter to its class; called by the decorators, in the order of declaration. */
export function declareParameter(prototype: object, parameter: DeclaredParameter): void {
  const own = declarations.get(prototype) ?? [];
  declarations.set(prototype, [...own, parameter]);
}

/** All parameters of a DTO in the order in which problems are reported: base classes first. */
export function declaredParameters(dto: DtoClass): readonly DeclaredParameter[] {
  let all = completed.get(dto);
  if (all === undefined) {
    all = collect(dto);
    completed.set(dto, all);
  }
  return all;
}

function collect(dto: DtoClass): readonly DeclaredParameter[] {
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

/** The value of one parameter, or why it is refused; undefined when it is absent and may be. */
export function decodeParameter(
  { names, required, fallback, type }: DeclaredParameter,
  textOf: (name: string) => string | undefined,
): unknown {
  const [name, other] =
    names.length === 1 ? names : names.filter((candidate) => textOf(candidate) !== undefined);
  const text = name === undefined ? undefined : textOf(name);
  if (other !== undefined) {
    return new Refusal(new ConfusingParameters(name!, other));
  }
  if (text === undefined) {
    return required ? new Refusal(new MissingParameter(names[0]!)) : fallback;
  }
  try {
    return type.decode(text, name!);
  } catch (error) {
    if (error instanceof ApiError) {
      return new Refusal(error);
    }
    throw error;
  }
}

/**
 * Decodes and validates what was sent against the DTO. It comes to the same as class-transformer and
 * class-validator with these declarations, at a twentieth of their cost.
 * @param sent text by name, of query string and form.
 * @param path text by name, of the path.
 * @throws ApiError the first problem in the order of declaration, and after those what breaks a rule that
 *   the DTO adds with a decorator of class-validator itself.
 */
export function decodeParameters<T extends object>(
  dto: DtoClass<T>,
  sent: ReadonlyMap<string, string>,
  path: Readonly<Record<string, string>>,
): T {
  const values = new dto();
  const inForm = (name: string) => sent.get(name);
  const inPath = (name: string) => path[name];
  for (const parameter of declaredParameters(dto)) {
    const value = decodeParameter(parameter, parameter.inPath ? inPath : inForm);
    if (value instanceof Refusal) {
      throw value.error;
    }
    if (value !== undefined) {
      (values as Record<string, unknown>)[parameter.property] = value;
    }
  }
  if (hasFurtherRules(dto)) {
    checkFurtherRules(values);
  }
  return values;
}

const furtherRules = new WeakMap<object, boolean>();

/** Whether there are decorators of class-validator beside the one that each declaration brings. */
function hasFurtherRules(dto: DtoClass): boolean {
  let found = furtherRules.get(dto);
  if (found === undefined) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(dto, dto.name, false, false);
    found = rules.length > declaredParameters(dto).length;
    furtherRules.set(dto, found);
  }
  return found;
}

function checkFurtherRules(values: object): void {
  const [error] = validateSync(values, { validationError: { target: false, value: false } });
  if (error !== undefined) {
    throw new BadRequest(Object.values(error.constraints ?? {})[0] ?? 'Invalid parameters');
  }
}
