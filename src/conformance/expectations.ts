import { isDeepStrictEqual } from 'node:util';
import { UnexpectedAnswer } from './client';

/** Something that the check needs is not there. */
export class CheckSkipped extends Error {}

/** Whether a value fits what is expected: functions decide, objects name the keys that matter, all else is equal. */
export function fits(value: unknown, expected: unknown): boolean {
  if (typeof expected === 'function') return Boolean((expected as (value: unknown) => unknown)(value));
  if (expected instanceof RegExp) return typeof value === 'string' && expected.test(value);
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected))
    return isDeepStrictEqual(value, expected);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(expected).every(([key, part]) => fits((value as Record<string, unknown>)[key], part));
}

/** @throws {UnexpectedAnswer} where it does not fit */
export function expectThat(what: string, value: unknown, expected: unknown): void {
  if (fits(value, expected)) return;
  const wanted = JSON.stringify(expected, (_, part: unknown) =>
    typeof part === 'function' ? part.name : part instanceof RegExp ? String(part) : part,
  );
  const got = JSON.stringify(value) ?? 'nothing';
  throw new UnexpectedAnswer(`${what}: expected ${wanted ?? String(expected)}, got ${got.slice(0, 400)}`);
}

/** What values may be, for {@link expectThat}. */
export const number = (value: unknown): boolean => typeof value === 'number';
export const text = (value: unknown): boolean => typeof value === 'string';
export const boolean = (value: unknown): boolean => typeof value === 'boolean';
export const list = (value: unknown): boolean => Array.isArray(value);
export const object = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const absent = (value: unknown): boolean => value === undefined;
export const textOrNull = (value: unknown): boolean => value === null || text(value);
export const numberOrNull = (value: unknown): boolean => value === null || number(value);
/** Of people, records may leave out what only bots have. */
export const numberIfAny = (value: unknown): boolean => absent(value) || numberOrNull(value);
/** A list in which some record fits. */
export const listWith = (expected: unknown) =>
  function listWithIt(value: unknown): boolean {
    return Array.isArray(value) && value.some((each) => fits(each, expected));
  };
/** A list in which no record fits. */
export const listWithout = (expected: unknown) =>
  function listWithoutIt(value: unknown): boolean {
    return Array.isArray(value) && !value.some((each) => fits(each, expected));
  };
