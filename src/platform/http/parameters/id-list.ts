import { json } from './json';
import type { JsonType } from './json-type';

/** Most IDs in a list, unless it declares another number: everybody in a large organization. */
const MAX_IDS = 20_000;

/** Characters that an ID takes, with what clients write around it. */
const CHARACTERS_PER_ID = 13;

/** A list of IDs. */
export function idList({ maxItems = MAX_IDS, min = -Infinity } = {}): JsonType<number[], false> {
  const id = min === -Infinity ? json.integer() : json.integer({ min });
  return json.array(id, { maxItems, maxCharacters: maxItems * CHARACTERS_PER_ID });
}
