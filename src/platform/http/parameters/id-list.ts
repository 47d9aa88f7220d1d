import { json } from './json';
import type { IsOptional, JsonType, KeyPresence } from './json-type';

/** Most IDs in a list, unless it declares another number: everybody in a large organization. */
const MAX_IDS = 20_000;

/** Characters that an ID takes, with what clients write around it. */
const CHARACTERS_PER_ID = 13;

interface IdListOptions extends KeyPresence {
  maxItems?: number;
  min?: number;
}

/** A list of IDs. */
export function idList<const O extends IdListOptions>(options?: O): JsonType<number[], IsOptional<O>> {
  const { maxItems = MAX_IDS, min, ...presence }: IdListOptions = options ?? {};
  const id = min === undefined ? json.integer() : json.integer({ min });
  const list = { ...presence, maxItems, maxCharacters: maxItems * CHARACTERS_PER_ID };
  return json.array(id, list) as JsonType<number[], IsOptional<O>>;
}
