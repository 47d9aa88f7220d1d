import {
  defineJsonType,
  limitsOf,
  numbersOf,
  type DecodedObject,
  type IsOptional,
  type JsonType,
  type KeyPresence,
  type Shape,
  type Decoded,
} from './json-type';
import { checkCharacters, checkText, textSchema, type TextRules } from './text';
import { ParameterProblem } from '../../errors/request.errors';

/** Limits of a number, both inclusive. */
interface NumberLimits extends KeyPresence {
  min?: number;
  max?: number;
}

/** Limits checked on the text, before it is parsed; see {@link JsonLimits} for the defaults. */
interface LimitOptions extends KeyPresence {
  maxCharacters?: number;
  maxItems?: number;
}

interface ObjectOptions extends LimitOptions {
  /** The error text for a value that is not an object, if the interface has a specific one. */
  notAnObject?: (at: string) => string;
}

interface ShapeOptions extends ObjectOptions {
  /** Whether unknown keys are refused; otherwise they are dropped. */
  isClosed?: boolean;
}

const INTEGERS = { integers: true, fractions: false };
const ANY_NUMBERS = { integers: true, fractions: true };

/** `true` or `false`; nothing is coerced. */
function boolean<const O extends KeyPresence>(options?: O): JsonType<boolean, IsOptional<O>> {
  return defineJsonType(options, {
    jsonSchema: { type: 'boolean' },
    check(value, at) {
      if (typeof value !== 'boolean') {
        throw new ParameterProblem(`${at} is not a boolean`);
      }
      return value;
    },
  });
}

/** An integer that a double represents exactly; `5.0`, `1e2` and `"5"` are not integers. */
function integer<const O extends NumberLimits>(options?: O): JsonType<number, IsOptional<O>> {
  const limits: NumberLimits = options ?? {};
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = limits;
  return defineJsonType(options, {
    jsonSchema: { type: 'integer', ...schemaLimits(limits) },
    numbers: INTEGERS,
    check(value, at) {
      if (!Number.isInteger(value)) {
        throw new ParameterProblem(`${at} is not an integer`);
      }
      return checkLimits(value as number, at, min, max);
    },
  });
}

/** Any number. */
function float<const O extends NumberLimits>(options?: O): JsonType<number, IsOptional<O>> {
  const limits: NumberLimits = options ?? {};
  const { min = -Number.MAX_VALUE, max = Number.MAX_VALUE } = limits;
  return defineJsonType(options, {
    jsonSchema: { type: 'number', ...schemaLimits(limits) },
    numbers: ANY_NUMBERS,
    check(value, at) {
      if (typeof value !== 'number') {
        throw new ParameterProblem(`${at} is not a float`);
      }
      return checkLimits(value, at, min, max);
    },
  });
}

/** A JSON string. For a parameter that is bare text, use `text()` of text.ts. */
function text<const O extends TextRules & KeyPresence>(options?: O): JsonType<string, IsOptional<O>> {
  const rules: TextRules = options ?? {};
  return defineJsonType(options, {
    jsonSchema: textSchema(rules),
    check(value, at) {
      if (typeof value !== 'string') {
        throw new ParameterProblem(`${at} is not a string`);
      }
      return checkText(value, at, rules);
    },
  });
}

/** One of a fixed set of JSON values; anything else is `Invalid N`. */
function oneOf<const V extends string | number | boolean | null, const O extends KeyPresence>(
  values: readonly V[],
  options?: O,
): JsonType<V, IsOptional<O>> {
  return defineJsonType(options, {
    jsonSchema: { enum: values },
    numbers: INTEGERS,
    check(value, at) {
      const found = values.find((candidate) => candidate === value);
      if (found === undefined) {
        throw new ParameterProblem(`Invalid ${at}`);
      }
      return found;
    },
  });
}

/** A list of elements of one type. */
function array<T, const O extends LimitOptions>(
  element: JsonType<T>,
  options?: O,
): JsonType<T[], IsOptional<O>> {
  const { maxItems = Infinity, maxCharacters }: LimitOptions = options ?? {};
  const hasPlainItems = element.limits === null && maxItems !== Infinity;
  return defineJsonType(options, {
    jsonSchema: {
      type: 'array',
      items: element.jsonSchema,
      ...(maxItems === Infinity ? {} : { maxItems }),
    },
    numbers: element.numbers,
    limits: limitsOf([element], { maxCharacters, ...(hasPlainItems ? { maxItems } : {}) }),
    check(value, at) {
      if (!Array.isArray(value)) {
        throw new ParameterProblem(`${at} is not a list`);
      }
      if (value.length > maxItems) {
        throw new ParameterProblem(`${at} is too long (limit: ${maxItems} items)`);
      }
      return value.map((item: unknown, index) => checkItem(element, item, at, index));
    },
  });
}

/** An object with known keys. Unknown keys are dropped, unless it is closed. */
function object<const S extends Shape, const O extends ShapeOptions>(
  shape: S,
  options?: O,
): JsonType<DecodedObject<S>, IsOptional<O>> {
  const { notAnObject = notADict, isClosed = false }: ShapeOptions = options ?? {};
  const keys = Object.entries(shape);
  return defineJsonType(options, {
    jsonSchema: {
      type: 'object',
      properties: Object.fromEntries(keys.map(([key, type]) => [key, type.jsonSchema])),
      required: keys.filter(([, type]) => !type.optional).map(([key]) => key),
      ...(isClosed ? { additionalProperties: false } : {}),
    },
    numbers: numbersOf(Object.values(shape)),
    limits: limitsOf(Object.values(shape), options),
    check(value, at) {
      const given = asObject(value, at, notAnObject);
      const result: Record<string, unknown> = {};
      for (const [key, type] of keys) {
        const keyAt = `${at}["${key}"]`;
        if (Object.hasOwn(given, key)) {
          result[key] = type.check(given[key], keyAt);
        } else if (!type.optional) {
          throw new ParameterProblem(`${keyAt} field is missing: Field required`);
        }
      }
      const further = isClosed ? Object.keys(given).find((key) => !Object.hasOwn(shape, key)) : undefined;
      if (further !== undefined) {
        throw new ParameterProblem(`Argument "${further}" at ${at}["${further}"] is unexpected`);
      }
      return result as DecodedObject<S>;
    },
  });
}

/** An object with arbitrary keys and values of one type. */
function record<T, const O extends ObjectOptions>(
  entry: JsonType<T>,
  options?: O,
): JsonType<Record<string, T>, IsOptional<O>> {
  const { notAnObject = notADict }: ObjectOptions = options ?? {};
  return defineJsonType(options, {
    jsonSchema: { type: 'object', additionalProperties: entry.jsonSchema },
    numbers: entry.numbers,
    limits: limitsOf([entry], options),
    check(value, at) {
      const given = asObject(value, at, notAnObject);
      const result: Record<string, T> = {};
      for (const [key, item] of Object.entries(given)) {
        checkCharacters(key, at);
        result[key] = entry.check(item, `${at}["${key}"]`);
      }
      return result;
    },
  });
}

/**
 * A value of one of several types. If none matches, the problem of the first is reported, with the branch's name in the
 * location: `principals["list[str]"][0] is not a string`.
 */
function union<const B extends Shape, const O extends KeyPresence>(
  branches: B,
  options?: O,
): JsonType<Decoded<B[keyof B]>, IsOptional<O>> {
  const types = Object.entries(branches);
  return defineJsonType(options, {
    jsonSchema: { oneOf: types.map(([, type]) => type.jsonSchema) },
    numbers: numbersOf(Object.values(branches)),
    limits: limitsOf(types.map(([, type]) => type)),
    check(value, at) {
      let first: ParameterProblem | undefined;
      for (const [name, type] of types) {
        try {
          return type.check(value, `${at}["${name}"]`) as Decoded<B[keyof B]>;
        } catch (error) {
          if (!(error instanceof ParameterProblem)) {
            throw error;
          }
          first ??= error;
        }
      }
      throw first ?? new ParameterProblem(`Invalid ${at}`);
    },
  });
}

/** The type, or `null`. */
function nullable<T, const O extends KeyPresence>(
  type: JsonType<T>,
  options?: O,
): JsonType<T | null, IsOptional<O>> {
  return defineJsonType(options, {
    jsonSchema: { oneOf: [type.jsonSchema, { type: 'null' }] },
    numbers: type.numbers,
    limits: type.limits,
    check: (value, at) => (value === null ? null : type.check(value, at)),
  });
}

/** Any JSON, for values that the server only stores, or that a service validates. */
function any<const O extends KeyPresence>(options?: O): JsonType<unknown, IsOptional<O>> {
  return defineJsonType(options, {
    jsonSchema: {},
    numbers: ANY_NUMBERS,
    limits: limitsOf([]),
    check(value, at) {
      checkAllCharacters(value, at);
      return value;
    },
  });
}

/** The recursion is bounded, because the nesting of the text is. */
function checkAllCharacters(value: unknown, at: string): void {
  if (typeof value === 'string') {
    checkCharacters(value, at);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      checkCharacters(key, at);
      checkAllCharacters(item, at);
    }
  }
}

/** Checks an item; its location is formatted only on refusal, because that takes longer than the check. */
function checkItem<T>(element: JsonType<T>, item: unknown, at: string, index: number): T {
  try {
    return element.check(item, at);
  } catch {
    return element.check(item, `${at}[${index}]`);
  }
}

function asObject(value: unknown, at: string, notAnObject: (at: string) => string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ParameterProblem(notAnObject(at));
  }
  return value as Record<string, unknown>;
}

function notADict(at: string): string {
  return `${at} is not a dict`;
}

function checkLimits(value: number, at: string, min: number, max: number): number {
  if (value < min) {
    throw new ParameterProblem(`${at} is too small`);
  }
  if (value > max) {
    throw new ParameterProblem(`${at} is too large`);
  }
  return value === 0 ? 0 : value; // -0 is serialized as 0, but is not equal to it everywhere
}

function schemaLimits({ min, max }: NumberLimits): Record<string, number> {
  return {
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  };
}

/** Types of JSON parameters, and of their parts. */
export const json = { boolean, integer, float, text, oneOf, array, object, record, union, nullable, any };
