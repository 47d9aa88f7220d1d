import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';

/** Most keys in one request. */
const MAX_KEYS = 1_000;

/** Longest text of one request, as long as a parameter may be: values may be long. */
const MAX_CHARACTERS = 1_048_576;

/** Parameters of `PUT /bot_storage`. */
export class PutBotStorageDto {
  /** Texts by name; they take the place of those under the same names. */
  @Parameter(json.record(json.text(), { maxItems: MAX_KEYS, maxCharacters: MAX_CHARACTERS }), {
    example: { theme: 'dark' },
  })
  storage!: Record<string, string>;
}

/** Parameters of `GET` and `DELETE /bot_storage`. */
export class BotStorageKeysDto {
  /** Names; all of them if left out. */
  @Parameter(json.array(json.text(), { maxItems: MAX_KEYS, maxCharacters: MAX_CHARACTERS }), {
    optional: true,
    example: ['theme', 'language'],
  })
  keys?: string[];
}
