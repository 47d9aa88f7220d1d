import { isUtf8 } from 'node:buffer';
import { parse } from 'secure-json-parse';
import { ParameterProblem } from '../../errors/request.errors';

/**
 * Limits of parsed JSON. The cost of parsing depends little on the length of the text; what matters is the number of
 * values.
 */
export interface JsonLimits {
  /** Maximum length of the text, in UTF-16 units. */
  readonly maxCharacters: number;
  /** Maximum number of values, including nested ones; for a list of plain values, its items. */
  readonly maxItems: number;
}

/** Limits of a parameter whose type declares no others. */
export const DEFAULT_JSON_LIMITS: JsonLimits = { maxCharacters: 65_536, maxItems: 10_000 };

/** Maximum number of values in all JSON of a request: the length of the longest list that any parameter allows. */
export const MAX_VALUES = 120_000;

/** Maximum nesting of arrays and objects; no declared parameter needs a quarter of it. */
const MAX_DEPTH = 32;

/**
 * Parses the JSON text of a parameter. Refuses texts over the limits before parsing them, deep nesting, and keys that
 * could reach a prototype.
 * @param strictNumbers see {@link markFractions}.
 * @throws ParameterProblem
 */
export function parseJson(text: string, at: string, strictNumbers: boolean, limits: JsonLimits): unknown {
  if (text.length > limits.maxCharacters) {
    throw new ParameterProblem(`${at} is too long (limit: ${limits.maxCharacters} characters)`);
  }
  if (text.length > MAX_DEPTH || text.length > limits.maxItems) countItems(text, at, limits.maxItems);
  const value = parseSafely(text, at);
  return strictNumbers && /[0-9][.eE]/.test(text) ? parseSafely(markFractions(text), at) : value;
}

/** Parses a request body, whose length is limited separately. @throws ParameterProblem */
export function readJsonBytes(bytes: Buffer, maxItems: number): unknown {
  if (!isUtf8(bytes)) throw new ParameterProblem('Request body is not valid UTF-8');
  return parseJson(bytes.toString('utf8'), 'Request body', false, {
    maxCharacters: Infinity,
    maxItems,
  });
}

function parseSafely(text: string, at: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const forbidden = error instanceof SyntaxError && error.message.includes('forbidden prototype');
    throw new ParameterProblem(forbidden ? `${at} contains a forbidden key` : `${at} is not valid JSON`);
  }
}

/**
 * Replaces every number with a fraction or an exponent by a fraction that no integer check accepts. The interface
 * refuses `1.0` and `1e2` where it expects an integer, but once parsed they equal 1 and 100. Use it only for types with
 * integers and no fractions: there, such a number is always refused, and no message repeats it.
 */
function markFractions(json: string): string {
  return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token[0] === '"' || /^-?\d+$/.test(token) ? token : '0.5',
  );
}

/**
 * Counts brackets and commas outside strings, before a parser could recurse too deeply or create too many values.
 * @throws ParameterProblem
 */
export function countItems(json: string, at: string, maxItems = Infinity): number {
  let depth = 0;
  // Each item follows a comma or is the first after a bracket.
  let items = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const character = json.charCodeAt(i);
    if (inString) {
      if (character === BACKSLASH) {
        i++;
      } else if (character === QUOTE) {
        inString = false;
      }
    } else if (character === QUOTE) {
      inString = true;
    } else if (character === OPEN_ARRAY || character === OPEN_OBJECT) {
      items++;
      if (++depth > MAX_DEPTH) {
        throw new ParameterProblem(`${at} is nested too deeply (limit: ${MAX_DEPTH} levels)`);
      }
    } else if (character === COMMA) {
      items++;
    } else if (character === CLOSE_ARRAY || character === CLOSE_OBJECT) {
      depth--;
    }
    if (items > maxItems) {
      throw new ParameterProblem(`${at} is too long (limit: ${maxItems} items)`);
    }
  }
  return items;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
