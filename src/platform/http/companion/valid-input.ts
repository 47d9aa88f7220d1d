import { applyDecorators, type Type } from '@nestjs/common';
import { plainToInstance, Transform } from 'class-transformer';
import {
  getMetadataStorage,
  IsBoolean,
  IsInt,
  ValidateBy,
  ValidateIf,
  validateSync,
  type ValidationError,
} from 'class-validator';
import { UnprocessableEntity, type InputProblem } from '../../errors/companion.errors';
import { composedName, forbiddenPlace } from '../../names/visible-name';

/** A class whose decorators describe the input of a route. */
export type InputClass = Type<object>;

/** The field may be omitted; null is not the same as omitting it. */
export const Optional = () => ValidateIf((_, value) => value !== undefined);

/** Converts the text of a query string to another type; text that cannot be converted stays as it is. */
const fromText = (read: (text: string) => unknown) =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? read(value) : value));

/**
 * An integer in decimal digits, in a query string. One beyond the exact range is rounded to the nearest representable
 * number.
 */
export const IntegerText = () =>
  applyDecorators(
    fromText((text) => (/^-?\d+$/.test(text) ? nearestSafe(Number(text)) : text)),
    IsInt(),
  );

function nearestSafe(number: number): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(number, Number.MAX_SAFE_INTEGER));
}

/** `true` or `false`, in a query string. */
export const BooleanText = () =>
  applyDecorators(
    fromText((text) => ({ true: true, false: false })[text] ?? text),
    IsBoolean(),
  );

/** A normalized name without invisible characters. */
export const VisibleName = (message: string) =>
  applyDecorators(
    fromText(composedName),
    ValidateBy(
      { name: 'visibleName', validator: { validate: (name) => forbiddenPlace(String(name)) === 0 } },
      { message },
    ),
  );

/** Kinds of problem by the failed check; any other is a `value_error`. */
const KINDS: Readonly<Record<string, string>> = {
  isString: 'string_type',
  isInt: 'int_type',
  isNumber: 'float_type',
  isBoolean: 'bool_type',
  isArray: 'list_type',
  isObject: 'dict_type',
  isIn: 'enum',
  isEnum: 'enum',
  minLength: 'string_too_short',
  maxLength: 'string_too_long',
  min: 'greater_than_equal',
  max: 'less_than_equal',
  whitelistValidation: 'extra_forbidden',
};

/** A body may contain thousands, and its sender may be unauthenticated. */
const MOST_UNKNOWN_KEYS = 100;

/**
 * Creates an instance of the class from the input and validates it: unknown keys, missing ones and wrong types are all
 * reported together; of unknown keys, the first hundred. Values are plain: lists and objects are refused, whatever the
 * class says.
 * @param at where it was sent, the first word of every `loc`
 * @throws UnprocessableEntity
 */
export function validInput<T extends object>(type: Type<T>, given: unknown, at: 'body' | 'query'): T {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new UnprocessableEntity([{ loc: [at], msg: 'Input should be an object', type: 'dict_type' }]);
  }
  const input = given as Readonly<Record<string, unknown>>;
  const declared = declaredKeys(type);
  const unknown = Object.keys(input).filter((key) => !declared.has(key));
  const problems = unknown.slice(0, MOST_UNKNOWN_KEYS).map((key) => unknownKey(at, key));
  const known = [...declared].filter((key) => Object.hasOwn(input, key));
  problems.push(...known.filter((key) => !isStorable(input[key])).map((key) => unstorable(at, key)));
  const dto = plainToInstance(type, Object.fromEntries(known.map((key) => [key, emptied(input[key])])));
  const errors = validateSync(dto, { whitelist: true, forbidNonWhitelisted: true });
  problems.push(...errors.flatMap((error) => problemsOf(error, at)));
  const wrong = new Set(errors.map(({ property }) => property));
  problems.push(
    ...known.filter((key) => isNested(input[key]) && !wrong.has(key)).map((key) => nested(at, key)),
  );
  if (problems.length > 0) throw new UnprocessableEntity(problems);
  return dto;
}

/**
 * A list or an object without its contents: enough to be refused as the wrong type. class-transformer takes quadratic
 * time for the keys of an object, and would run before any check.
 */
function emptied(value: unknown): unknown {
  if (!isNested(value)) return value;
  return Array.isArray(value) ? [] : {};
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

const keys = new WeakMap<Type, ReadonlySet<string>>();

/** Fields for which the class has a check, as a set: a lookup by name would also find keys such as `constructor`. */
function declaredKeys(type: Type): ReadonlySet<string> {
  let declared = keys.get(type);
  if (declared === undefined) {
    const checks = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    declared = new Set(checks.map(({ propertyName }) => propertyName));
    keys.set(type, declared);
  }
  return declared;
}

/** Whether a value can be stored and sent: no NUL, no lone surrogate. */
function isStorable(value: unknown): boolean {
  return typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed());
}

/** If the type of a field is wrong, only that is reported, not what follows from it. */
function problemsOf({ property, constraints, value }: ValidationError, at: string): InputProblem[] {
  const loc = [at, property];
  if (value === undefined) return [{ loc, msg: 'Field required', type: 'missing' }];
  const found = Object.entries(constraints ?? {}).map(([check, msg]) => ({
    loc,
    msg,
    type: KINDS[check] ?? 'value_error',
  }));
  const first = found.find(({ type }) => type.endsWith('_type')) ?? found[0];
  return first ? [first] : [];
}

function unknownKey(at: string, key: string): InputProblem {
  return { loc: [at, key.toWellFormed()], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' };
}

function unstorable(at: string, key: string): InputProblem {
  return {
    loc: [at, key],
    msg: `${key} must not contain null characters or broken Unicode`,
    type: 'string_unicode',
  };
}

function nested(at: string, key: string): InputProblem {
  return { loc: [at, key], msg: `${key} must be neither a list nor an object`, type: 'value_error' };
}
