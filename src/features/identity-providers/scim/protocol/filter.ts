import { InvalidFilter } from './scim.api';
import { isObject } from '../../../../platform/collections';

/** Longest filter, in UTF-16 units. */
const MAX_LENGTH = 4_000;

/** Maximum comparisons in one filter, and maximum nesting. */
const MAX_COMPARISONS = 100;
const MAX_DEPTH = 20;

const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;

/** A comparison operator. */
type Comparison = (typeof COMPARISONS)[number];
type Literal = string | number | boolean | null;

/** A filter (RFC 7644, 3.4.2.2). Paths are in lower case, without the URN of a core schema. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | { readonly kind: 'present'; readonly path: string }
  | { readonly kind: 'compare'; readonly path: string; readonly by: Comparison; readonly to: Literal }
  /** One of several values matches the filter inside the brackets. */
  | { readonly kind: 'any'; readonly path: string; readonly part: Filter };

const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/gy;

/** @throws InvalidFilter */
export function parseFilter(text: string): Filter {
  if (text.length > MAX_LENGTH) throw new InvalidFilter(`it is longer than ${MAX_LENGTH} characters`);
  return new FilterParser(tokensOf(text)).whole();
}

function tokensOf(text: string): string[] {
  const trimmed = text.trim();
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const match = TOKEN.exec(trimmed);
    if (!match) throw new InvalidFilter('a quotation mark is missing');
    tokens.push(match[1] ?? match[2] ?? match[3] ?? '');
  }
  return tokens;
}

class FilterParser {
  private at = 0;
  private comparisons = 0;

  constructor(private readonly tokens: readonly string[]) {}

  whole(): Filter {
    const filter = this.either(0);
    if (this.at < this.tokens.length) throw new InvalidFilter(`"${this.tokens[this.at]}" is unexpected`);
    return filter;
  }

  private either(depth: number): Filter {
    return this.joined('or', () => this.joined('and', () => this.single(depth)));
  }

  private joined(word: 'and' | 'or', part: () => Filter): Filter {
    const first = part();
    const parts = [first];
    while (this.takes(word)) parts.push(part());
    return parts.length === 1 ? first : { kind: word, parts };
  }

  private single(depth: number): Filter {
    if (depth >= MAX_DEPTH) throw new InvalidFilter(`it is nested deeper than ${MAX_DEPTH} levels`);
    if (this.takes('not')) return { kind: 'not', part: this.bracketed('(', ')', depth) };
    if (this.tokens[this.at] === '(') return this.bracketed('(', ')', depth);
    if (++this.comparisons > MAX_COMPARISONS) {
      throw new InvalidFilter(`it has more than ${MAX_COMPARISONS} comparisons`);
    }
    const path = attributeName(this.next());
    if (path === null) throw new InvalidFilter('an attribute name is expected');
    if (this.tokens[this.at] === '[') return { kind: 'any', path, part: this.bracketed('[', ']', depth) };
    const word = this.next().toLowerCase();
    if (word === 'pr') return { kind: 'present', path };
    const by = COMPARISONS.find((each) => each === word);
    if (!by) throw new InvalidFilter(`"${word}" is not an operator`);
    return { kind: 'compare', path, by, to: literalOf(this.next()) };
  }

  private bracketed(open: string, close: string, depth: number): Filter {
    if (this.next() !== open) throw new InvalidFilter(`"${open}" is missing`);
    const filter = this.either(depth + 1);
    if (this.next() !== close) throw new InvalidFilter(`"${close}" is missing`);
    return filter;
  }

  private takes(word: string): boolean {
    const isNext = this.tokens[this.at]?.toLowerCase() === word;
    if (isNext) this.at++;
    return isNext;
  }

  private next(): string {
    const token = this.tokens[this.at++];
    if (token === undefined) throw new InvalidFilter('it ends unexpectedly');
    return token;
  }
}

function literalOf(token: string): Literal {
  if (/^(?:true|false|null)$/i.test(token)) return JSON.parse(token.toLowerCase()) as Literal;
  try {
    const value: unknown = JSON.parse(token);
    if (typeof value === 'string' || typeof value === 'number') return value;
  } catch {
    // The error below covers this.
  }
  throw new InvalidFilter(`${token} is not a value`);
}

/** Case-sensitive attributes; all others are case-insensitive. */
const CASE_EXACT = new Set(['id', 'externalid']);

/** Whether a resource matches a filter; a missing attribute matches only `ne`, or `eq null`. */
export function meets(resource: unknown, filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => meets(resource, part));
    case 'or':
      return filter.parts.some((part) => meets(resource, part));
    case 'not':
      return !meets(resource, filter.part);
    case 'present':
      return valuesAt(resource, filter.path).some((value) => value !== null && value !== '');
    case 'any':
      return valuesAt(resource, filter.path).some((value) => meets(value, filter.part));
    case 'compare':
      return compares(valuesAt(resource, filter.path), filter);
  }
}

function compares(values: readonly unknown[], { path, by, to }: Filter & { kind: 'compare' }): boolean {
  const plain = values.map((value) => (isObject(value) ? memberOf(value, 'value') : value));
  if (to === null) return (plain.length === 0) === (by === 'eq');
  const exact = CASE_EXACT.has(path);
  const wanted = textOf(to, exact);
  const given = plain.map((value) => textOf(value, exact));
  switch (by) {
    case 'eq':
      return given.includes(wanted);
    case 'ne':
      return !given.includes(wanted);
    case 'co':
      return given.some((value) => value.includes(wanted));
    case 'sw':
      return given.some((value) => value.startsWith(wanted));
    case 'ew':
      return given.some((value) => value.endsWith(wanted));
    case 'gt':
      return given.some((value) => value > wanted);
    case 'ge':
      return given.some((value) => value >= wanted);
    case 'lt':
      return given.some((value) => value < wanted);
    case 'le':
      return given.some((value) => value <= wanted);
  }
}

function textOf(value: unknown, exact: boolean): string {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value));
  return exact ? text : text.toLowerCase();
}

/** The values at a path, with lists flattened. */
function valuesAt(resource: unknown, path: string): unknown[] {
  let values = [resource];
  for (const name of path.split('.')) {
    values = values.flatMap((value) => (isObject(value) ? [memberOf(value, name)].flat() : []));
  }
  return values.filter((value) => value !== undefined);
}

/** Looks up a member of an object case-insensitively. @param name in lower case */
export function memberOf(value: object, name: string): unknown {
  return Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1] as unknown;
}

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;

/** An attribute name with optional sub-attribute, after the URN of the schema for extensions. */
const NAME = /^(?:urn:[a-z0-9:._-]{1,200}:)?[a-z$][\w$-]{0,100}(?:\.[a-z$][\w$-]{0,100})?$/;

/** Normalizes an attribute name: in lower case, without the URN of a core schema; null if it is invalid. */
export function attributeName(given: string): string | null {
  const name = given.toLowerCase().replace(CORE, '');
  return NAME.test(name) ? name : null;
}
