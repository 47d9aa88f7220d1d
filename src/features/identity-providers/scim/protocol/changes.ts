import { type Filter, parseFilter, attributeName, memberOf } from './filter';
import { InvalidPath, InvalidScimSyntax, InvalidValue } from './scim.api';
import { isObject } from '../../../../platform/collections';

/** Maximum operations in one PATCH. */
const MAX_OPERATIONS = 1_000;

/** Longest value of a text attribute. */
const MAX_TEXT = 1_000;

/** A change to one attribute. */
export interface AttributeChange {
  readonly op: 'add' | 'replace' | 'remove';
  /** In lower case, without the URN of a core schema. */
  readonly attribute: string;
  /** Selects some of several values. */
  readonly filter: Filter | null;
  /** Sub-attribute; null for the whole attribute. */
  readonly sub: string | null;
  readonly value: unknown;
}

/** Converts a complete resource to changes. @throws InvalidScimSyntax */
export function changesOfWhole(body: unknown): AttributeChange[] {
  if (!isObject(body)) throw new InvalidScimSyntax('The body must be an object.');
  return assignments('replace', body, () => []);
}

/**
 * Converts a PATCH to changes. Directories write the names of operations in any case, and values with a path, as an
 * object, or as an object with dotted names.
 * @throws InvalidScimSyntax, InvalidPath, InvalidValue, InvalidFilter
 */
export function changesOfPatch(body: unknown): AttributeChange[] {
  const operations = isObject(body) ? memberOf(body, 'operations') : undefined;
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new InvalidScimSyntax('A PATCH needs a list of Operations.');
  }
  if (operations.length > MAX_OPERATIONS) {
    throw new InvalidValue(`A PATCH may have at most ${MAX_OPERATIONS} operations.`);
  }
  return operations.flatMap((operation) => changesOf(operation));
}

function changesOf(operation: unknown): AttributeChange[] {
  if (!isObject(operation)) throw new InvalidScimSyntax('Each operation must be an object.');
  const word = memberOf(operation, 'op');
  const op = typeof word === 'string' ? word.toLowerCase() : '';
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    throw new InvalidScimSyntax('The op must be add, replace or remove.');
  }
  const path = memberOf(operation, 'path');
  const value = memberOf(operation, 'value');
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') throw new InvalidPath('The path must be a text.');
    return [{ op, ...parsePath(path), value }];
  }
  if (op === 'remove') throw new InvalidPath('An operation that removes needs a path.');
  if (!isObject(value)) throw new InvalidScimSyntax('Without a path, the value must be an object.');
  return assignments(op, value, (key) => {
    throw new InvalidPath(`${key.slice(0, 100)} is not an attribute name.`);
  });
}

function assignments(
  op: 'add' | 'replace',
  values: object,
  unreadable: (key: string) => AttributeChange[],
): AttributeChange[] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
    // Extension attributes are nested under the URN of their schema, which ends with the schema's name.
    if (/^urn:/i.test(key) && isObject(value)) return [];
    return attributeName(key) === null && !key.includes('[')
      ? unreadable(key)
      : [{ op, ...parsePath(key), value }];
  });
}

/** @throws InvalidPath, InvalidFilter */
function parsePath(path: string): Pick<AttributeChange, 'attribute' | 'filter' | 'sub'> {
  const [, before = '', inside, after = ''] = /^([^[\]]*)(?:\[(.*)\](.*))?$/s.exec(path.trim()) ?? [];
  const name = attributeName(before + after);
  if (name === null || (inside !== undefined && before.includes('.') && !/^urn:/i.test(before))) {
    throw new InvalidPath(`${path.slice(0, 100)} is not an attribute path.`);
  }
  const filter = inside === undefined ? null : parseFilter(inside);
  // URNs of extensions contain dots themselves; none of their attributes is supported anyway.
  const [attribute = '', sub = null] = name.startsWith('urn:') ? [name] : name.split('.');
  return { attribute, filter, sub };
}

/** Checks the value of a text attribute. @throws InvalidValue */
export function textValue(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new InvalidValue(`${name} must be a text.`);
  if (value.length > MAX_TEXT) throw new InvalidValue(`${name} is longer than ${MAX_TEXT} characters.`);
  return value.trim();
}

/** Reads a boolean; accepts text in any case, as Entra ID sends it. @throws InvalidValue */
export function booleanValue(name: string, value: unknown): boolean {
  const text = typeof value === 'string' ? value.toLowerCase() : value;
  if (text === true || text === 'true') return true;
  if (text === false || text === 'false') return false;
  throw new InvalidValue(`${name} must be true or false.`);
}
