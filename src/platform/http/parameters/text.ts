import { checkText, textSchema, type TextRules } from './text-rules';
import { ParameterProblem, type WireType } from './wire-type';

/** Text taken as it was sent: not JSON, and not trimmed unless the rules say so. */
export function text(rules: TextRules = {}): WireType<string> {
  return {
    jsonSchema: textSchema(rules),
    decode: (raw, at) => checkText(raw, at, rules),
  };
}

/** One of a fixed set of bare words, such as `op`; anything else is `Invalid op`. */
export function oneOf<const Word extends string>(words: readonly Word[]): WireType<Word> {
  return {
    jsonSchema: { type: 'string', enum: words },
    decode(raw, at) {
      const word = words.find((candidate) => candidate === raw);
      if (word === undefined) {
        throw new ParameterProblem(`Invalid ${at}`);
      }
      return word;
    },
  };
}
