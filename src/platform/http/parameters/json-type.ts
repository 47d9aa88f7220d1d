import { DEFAULT_JSON_LIMITS, parseJson, type JsonLimits } from '../body/json-text';

/** A fragment of JSON Schema for the OpenAPI document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Decodes the text of one parameter. */
export interface WireType<T> {
  readonly jsonSchema: JsonSchema;
  /**
   * @param text the parameter as it was sent
   * @param at its name, at the start of every message
   * @throws ParameterProblem
   */
  decode(text: string, at: string): T;
}

/** The TypeScript type of what a wire type decodes to. */
export type Decoded<W> = W extends WireType<infer T> ? T : never;

/** Which numbers a type accepts, including its parts; determines how strictly the text is parsed. */
export interface NumberUse {
  readonly integers: boolean;
  readonly fractions: boolean;
}

/** A parameter, or a part of one, encoded as JSON. */
export interface JsonType<T, Optional extends boolean = boolean> extends WireType<T> {
  /** As a key of an object, whether it may be absent. */
  readonly optional: Optional;
  readonly numbers: NumberUse;
  /** Limits of the parsed text; null for the default of a type without parts. */
  readonly limits: JsonLimits | null;
  /**
   * Checks a parsed value and copies only what was declared, so unknown keys of objects are dropped.
   * @throws ParameterProblem
   */
  check(value: unknown, at: string): T;
}

/** An option of every `json.*` type: whether the key of an object may be absent. */
export interface KeyPresence {
  optional?: boolean;
}

/** Whether the options of a type allow the key to be absent. */
export type IsOptional<Options> = Options extends { optional: true } ? true : false;

/** Keys of an object with their types. */
export type Shape = Readonly<Record<string, JsonType<unknown>>>;

/** The object that a {@link Shape} describes. */
export type DecodedObject<S extends Shape> = {
  [Key in keyof S as S[Key] extends JsonType<unknown, true> ? never : Key]: Decoded<S[Key]>;
} & {
  [Key in keyof S as S[Key] extends JsonType<unknown, true> ? Key : never]?: Decoded<S[Key]>;
};

/** The parts in which JSON types differ. */
interface Definition<T> {
  jsonSchema: JsonSchema;
  numbers?: NumberUse;
  limits?: JsonLimits | null;
  check: (value: unknown, at: string) => T;
}

/** Completes a definition into a wire type. */
export function defineJsonType<T, Options extends KeyPresence>(
  options: Options | undefined,
  definition: Definition<T>,
): JsonType<T, IsOptional<Options>> {
  const numbers = definition.numbers ?? { integers: false, fractions: false };
  const limits = definition.limits ?? null;
  const strictNumbers = numbers.integers && !numbers.fractions;
  return {
    jsonSchema: definition.jsonSchema,
    numbers,
    limits,
    optional: (options?.optional === true) as IsOptional<Options>,
    check: definition.check,
    decode: (text, at) =>
      definition.check(parseJson(text, at, strictNumbers, limits ?? DEFAULT_JSON_LIMITS), at),
  };
}

/** The numbers that a compound type accepts. */
export function numbersOf(parts: Iterable<JsonType<unknown>>): NumberUse {
  const uses = [...parts].map((part) => part.numbers);
  return {
    integers: uses.some((use) => use.integers),
    fractions: uses.some((use) => use.fractions),
  };
}

/** The limits of a compound type: its own, otherwise the widest of its parts. */
export function limitsOf(
  parts: Iterable<JsonType<unknown>>,
  { maxCharacters = 0, maxItems = 0 }: Partial<JsonLimits> = {},
): JsonLimits {
  const all = [DEFAULT_JSON_LIMITS, ...[...parts].map((part) => part.limits ?? DEFAULT_JSON_LIMITS)];
  return {
    maxCharacters: maxCharacters || Math.max(...all.map((each) => each.maxCharacters)),
    maxItems: maxItems || Math.max(...all.map((each) => each.maxItems)),
  };
}
