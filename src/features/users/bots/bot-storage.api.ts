import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { ApiError, refusal } from '../../../platform/errors/api-error';

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

/** A bot asks for a key that it has not stored. */
export class NoSuchStorageKey extends refusal('Key does not exist.') {}

/** A bot wants to store more than it may. */
export class BotStorageFull extends ApiError {
  constructor(excess: number, limit: number) {
    super(`Request exceeds storage limit by ${excess} characters. The limit is ${limit} characters.`);
  }
}

/** Storage is for bots. */
export class BotsOnly extends refusal('Must be a bot user', { code: 'PERMISSION_DENIED' }) {}

/** No format of outgoing webhooks has this number. */
export class InvalidInterfaceType extends refusal('Invalid interface type') {}
