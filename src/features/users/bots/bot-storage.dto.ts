import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';

/** Parameters of `PUT /bot_storage`. */
export class PutBotStorageDto {
  /** Texts by name; they take the place of those under the same names. */
  @Parameter(json.record(json.text()), { example: { theme: 'dark' } }) storage!: Record<string, string>;
}

/** Parameters of `GET` and `DELETE /bot_storage`. */
export class BotStorageKeysDto {
  /** Names; all of them if left out. */
  @Parameter(json.array(json.text()), { optional: true, example: ['theme', 'language'] }) keys?: string[];
}
