import { json } from './json';
import type { IsOptional, JsonType, KeyPresence, WireType } from './json-type';
import { ParameterProblem } from '../../errors/request.errors';
import { DEFAULT_JSON_LIMITS, parseJson } from '../body/json-text';

/** Default maximum number of IDs in a list: everyone in a large organization. */
const MAX_IDS = 20_000;

/** Characters per ID, including separators. */
const CHARACTERS_PER_ID = 13;

interface IdListOptions extends KeyPresence {
  maxItems?: number;
  min?: number;
}

/** A list of IDs. */
export function idList<const O extends IdListOptions>(options?: O): JsonType<number[], IsOptional<O>> {
  const { maxItems = MAX_IDS, min, ...presence }: IdListOptions = options ?? {};
  const id = min === undefined ? json.integer() : json.integer({ min });
  const list = { ...presence, maxItems, maxCharacters: maxItems * CHARACTERS_PER_ID };
  return json.array(id, list) as JsonType<number[], IsOptional<O>>;
}

/** The error text for a value outside the allowed choices, after the name of the parameter. */
export const NOT_LISTED = 'Value error, Not in the list of possible values';

/** A number from a fixed set; others are refused with {@link NOT_LISTED}. */
export function listedNumber(values: readonly number[]): WireType<number> {
  const integer = json.integer();
  return {
    jsonSchema: { type: 'integer', enum: values },
    decode(raw, at) {
      const value = integer.decode(raw, at);
      if (!values.includes(value)) throw new ParameterProblem(`Invalid ${at}: ${NOT_LISTED}`);
      return value;
    },
  };
}

/**
 * A word of a fixed set, bare (`inherit`) or as JSON (`"inherit"`), because clients send both. Other JSON is `Invalid
 * N`, other text is not valid JSON.
 */
export function bareOrQuoted<const Word extends string>(words: readonly Word[]): WireType<Word> {
  const quoted = json.oneOf(words);
  return {
    jsonSchema: quoted.jsonSchema,
    decode: (raw, at) => words.find((word) => word === raw) ?? quoted.decode(raw, at),
  };
}

/**
 * An integer as JSON, or a word: bare if it is one of the known words, otherwise as JSON. The service decides which
 * words are valid, because the interface has a specific message for the others.
 */
export function integerOrWord(bareWords: readonly string[]): WireType<number | string> {
  const value = json.union({ 'json[str]': json.text(), 'json[int]': json.integer() });
  return {
    jsonSchema: value.jsonSchema,
    decode(raw, at) {
      if (bareWords.includes(raw)) {
        return raw;
      }
      return value.check(parseJson(raw, `${at}["json[str]"]`, true, DEFAULT_JSON_LIMITS), at);
    },
  };
}
