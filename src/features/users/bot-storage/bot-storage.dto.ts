import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';

/** Parameters of `PUT /bot_storage`. */
export class PutBotStorageDto {
  @Parameter(json.record(json.text())) storage!: Record<string, string>;
}

/** Parameters of `GET` and `DELETE /bot_storage`. */
export class BotStorageKeysDto {
  @Parameter(json.array(json.text()), { optional: true }) keys?: string[];
}
