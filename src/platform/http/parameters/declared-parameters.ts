import { plainToInstance, type ClassTransformOptions } from 'class-transformer';
import { validateSync, type ValidationError, type ValidatorOptions } from 'class-validator';
import { type ApiError } from '../../errors/api-error';
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

const TRANSFORM: ClassTransformOptions = { excludeExtraneousValues: true, exposeUnsetFields: false };
const VALIDATE: ValidatorOptions = { validationError: { target: false, value: false } };

/**
 * Decodes and validates what was sent against the DTO.
 * @param sent text by name, of query string and form.
 * @param path text by name, of the path.
 * @throws ApiError the first problem in the order of declaration.
 */
export function decodeParameters<T extends object>(
  dto: DtoClass<T>,
  sent: ReadonlyMap<string, string>,
  path: Readonly<Record<string, string>>,
): T {
  const declared = declaredParameters(dto);
  if (declared.length === 0) {
    return new dto();
  }
  const texts: Record<string, string> = {};
  for (const { names, inPath } of declared) {
    for (const name of names) {
      const text = inPath ? path[name] : sent.get(name);
      if (text !== undefined) {
        texts[name] = text;
      }
    }
  }
  const values = plainToInstance(dto, texts, TRANSFORM);
  const errors = validateSync(values, VALIDATE);
  if (errors.length > 0) {
    throw firstProblem(declared, values, errors);
  }
  return values;
}

function firstProblem(
  declared: readonly DeclaredParameter[],
  values: object,
  errors: readonly ValidationError[],
): ApiError {
  for (const { property } of declared) {
    const error = errors.find((candidate) => candidate.property === property);
    if (error !== undefined) {
      const value = (values as Record<string, unknown>)[property];
      return value instanceof Refusal ? value.error : ruleProblem(error);
    }
  }
  return ruleProblem(errors[0]);
}

/** A rule that the DTO adds with a decorator of class-validator itself. */
function ruleProblem(error: ValidationError | undefined): ApiError {
  return new BadRequest(Object.values(error?.constraints ?? {})[0] ?? 'Invalid parameters');
}
