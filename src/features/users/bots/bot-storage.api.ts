import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** Maximum number of keys in one request. */
const MAX_KEYS = 1_000;

/** Maximum length of one request, which is that of any parameter: values may be long. */
const MAX_CHARACTERS = 1_048_576;

/** Parameters of `PUT /bot_storage`. */
export class PutBotStorageDto {
  /** Texts by key; they replace existing entries with the same keys. */
  @Parameter(json.record(json.text(), { maxItems: MAX_KEYS, maxCharacters: MAX_CHARACTERS }), {
    example: { theme: 'dark' },
  })
  storage!: Record<string, string>;
}

/** Parameters of `GET` and `DELETE /bot_storage`. */
export class BotStorageKeysDto {
  /** Keys; all by default. */
  @Parameter(json.array(json.text(), { maxItems: MAX_KEYS, maxCharacters: MAX_CHARACTERS }), {
    optional: true,
    example: ['theme', 'language'],
  })
  keys?: string[];
}

/** The bot has not stored the requested key. */
export class NoSuchStorageKey extends refusal('Key does not exist.') {}

/** The bot has reached its storage limit. */
export class BotStorageFull extends ApiError {
  constructor(excess: number, limit: number) {
    super(`Request exceeds storage limit by ${excess} characters. The limit is ${limit} characters.`);
  }
}

/** Only bots have storage. */
export class BotsOnly extends refusal('Must be a bot user', { code: 'PERMISSION_DENIED' }) {}

/** No format of outgoing webhooks has this number. */
export class InvalidInterfaceType extends refusal('Invalid interface type') {}
