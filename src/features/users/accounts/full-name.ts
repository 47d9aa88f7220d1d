import { composedName, forbiddenPlace } from '../../../platform/names/visible-name';
import { codePointLength } from '../../../platform/http/parameters/text';
import { InvalidFullName } from './accounts.api';

/** How long the name of a person or bot is, in code points. */
export const FULL_NAME_LENGTHS = { minLength: 2, maxLength: 100 } as const;

/** Characters that have a meaning in a mention or an address, in any width. */
const FORBIDDEN = /[*`\\>"@]/;

/** A name that ends like this could pass for the mention of another person. */
const LOOKS_LIKE_MENTION = /\|\d+$/;

/**
 * Checks a full name.
 * @returns the name trimmed and composed
 * @throws InvalidFullName
 */
export function checkedFullName(given: string): string {
  const name = composedName(given);
  const length = codePointLength(name);
  if (length > FULL_NAME_LENGTHS.maxLength) throw new InvalidFullName('Name too long!');
  if (length < FULL_NAME_LENGTHS.minLength) throw new InvalidFullName('Name too short!');
  if (FORBIDDEN.test(name.normalize('NFKC')) || forbiddenPlace(name) > 0)
    throw new InvalidFullName('Invalid characters in name!');
  if (LOOKS_LIKE_MENTION.test(name)) throw new InvalidFullName('Invalid format!');
  return name;
}

/** Equal for two names that people would take for the same. */
export function fullNameKey(name: string): string {
  // Upper case first: it unfolds what lower case alone would leave different, such as "ß" and "ss".
  return name.normalize('NFKC').toUpperCase().toLowerCase();
}
