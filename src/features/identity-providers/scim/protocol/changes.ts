import { type Filter, parseFilter, attributeName, memberOf } from './filter';
import { InvalidPath, InvalidScimSyntax, InvalidValue } from './scim.api';
import { isObject } from '../../../../platform/collections';

/** Most operations in one PATCH. */
const MAX_OPERATIONS = 1_000;

/** Longest text that an attribute can have. */
const MAX_TEXT = 1_000;

/** One attribute that is to change. */
export interface AttributeChange {
  readonly op: 'add' | 'replace' | 'remove';
  /** In lower case, without the address of a core schema. */
  readonly attribute: string;
  /** Which of several values it is about. */
  readonly filter: Filter | null;
  /** The attribute within it; null for the whole. */
  readonly sub: string | null;
  readonly value: unknown;
}

/** What a whole resource says, one attribute after another. @throws InvalidScimSyntax */
export function changesOfWhole(body: unknown): AttributeChange[] {
  if (!isObject(body)) throw new InvalidScimSyntax('The body must be an object.');
  return assignments('replace', body, () => []);
}

/**
 * What a PATCH says. Directories write the names of operations in any case, and values with a path, as an object, or as an
 * object with dotted names.
 * @throws InvalidScimSyntax, InvalidPath, InvalidFilter
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
  // Addresses of extensions have dots of their own; nothing in them is known anyway.
  const [attribute = '', sub = null] = name.startsWith('urn:') ? [name] : name.split('.');
  return { attribute, filter, sub };
}

/** A text that an attribute is to have. @throws InvalidValue */
export function textValue(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new InvalidValue(`${name} must be a text.`);
  if (value.length > MAX_TEXT) throw new InvalidValue(`${name} is longer than ${MAX_TEXT} characters.`);
  return value.trim();
}

/** A truth value; as a text, in any case, as Entra ID sends it. @throws InvalidValue */
export function booleanValue(name: string, value: unknown): boolean {
  const text = typeof value === 'string' ? value.toLowerCase() : value;
  if (text === true || text === 'true') return true;
  if (text === false || text === 'false') return false;
  throw new InvalidValue(`${name} must be true or false.`);
}
