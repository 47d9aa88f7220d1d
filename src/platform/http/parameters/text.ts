import { ParameterProblem } from '../../errors/request.errors';
import type { WireType } from './json-type';
import { composedName, forbiddenPlace } from '../../names/visible-name';

/** Rules for a text. Lengths count Unicode code points. */
export interface TextRules {
  /** Strips white space from both ends before any other check. */
  trim?: boolean;
  /** Whether the empty text is refused as "blank". */
  notBlank?: boolean;
  minLength?: number;
  maxLength?: number;
  /**
   * Allows NUL and lone surrogates, for a service that refuses them with its own message, as for channel names; neither
   * may reach the database.
   */
  unchecked?: boolean;
}

/**
 * @returns the text, trimmed if the rules require it
 * @throws ParameterProblem for the first violated rule
 */
export function checkText(text: string, at: string, rules: TextRules): string {
  const value = rules.trim ? text.trim() : text;
  if (rules.notBlank && value.length === 0) {
    throw new ParameterProblem(`${at} cannot be blank`);
  }
  if (!rules.unchecked) {
    checkCharacters(value, at);
  }
  if (rules.maxLength !== undefined && exceeds(value, rules.maxLength)) {
    throw new ParameterProblem(`${at} is too long (limit: ${rules.maxLength} characters)`);
  }
  if (rules.minLength !== undefined && !exceeds(value, rules.minLength - 1)) {
    throw new ParameterProblem(`${at} is too short.`);
  }
  return value;
}

/** Refuses characters that no database column can store and no answer can contain: NUL and lone surrogates. */
export function checkCharacters(text: string, at: string): void {
  if (text.includes('\0')) {
    throw new ParameterProblem(`${at} must not contain null characters`);
  }
  if (!text.isWellFormed()) {
    throw new ParameterProblem(`${at} is not valid Unicode`);
  }
}

/** The length in Unicode code points; a lone surrogate counts as one. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    if (text.codePointAt(i)! > 0xffff) {
      length--;
      i++;
    }
  }
  return length;
}

/** A text never has more code points than UTF-16 units, so most texts need not be counted. */
function exceeds(text: string, limit: number): boolean {
  return text.length > limit && codePointLength(text) > limit;
}

/** The JSON Schema of the rules. */
export function textSchema(rules: TextRules): Record<string, unknown> {
  return {
    type: 'string',
    ...(rules.notBlank ? { minLength: 1 } : {}),
    ...(rules.minLength === undefined ? {} : { minLength: rules.minLength }),
    ...(rules.maxLength === undefined ? {} : { maxLength: rules.maxLength }),
  };
}

/** Text exactly as sent: not JSON, and not trimmed unless the rules require it. */
export function text(rules: TextRules = {}): WireType<string> {
  return {
    jsonSchema: textSchema(rules),
    decode: (raw, at) => checkText(raw, at, rules),
  };
}

/**
 * One of a fixed set of bare words, such as `op`; anything else is `Invalid op`.
 * @param refusal replaces that message if clients expect another
 */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  { refusal }: { readonly refusal?: string } = {},
): WireType<Word> {
  return {
    jsonSchema: { type: 'string', enum: words },
    decode(raw, at) {
      const word = words.find((candidate) => candidate === raw);
      if (word === undefined) {
        throw new ParameterProblem(refusal ?? `Invalid ${at}`);
      }
      return word;
    },
  };
}

/** A normalized name without invisible characters. */
export function visibleName(rules: Pick<TextRules, 'notBlank' | 'maxLength'>): WireType<string> {
  return {
    jsonSchema: textSchema(rules),
    decode(raw, at) {
      const name = checkText(composedName(raw), at, rules);
      const position = forbiddenPlace(name);
      if (position > 0) throw new ParameterProblem(`Invalid character in ${at}, at position ${position}.`);
      return name;
    },
  };
}
