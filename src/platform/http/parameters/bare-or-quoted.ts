import { json } from './json';
import { DEFAULT_JSON_LIMITS, parseJson } from '../body/json-text';
import type { WireType } from './json-type';

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
 * words are valid, because the interface has its own message for the others.
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
