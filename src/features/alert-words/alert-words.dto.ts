import { json } from '../../platform/http/parameters/json';
import { Parameter } from '../../platform/http/parameters/parameter.decorator';

const MAX_WORD_LENGTH = 100;
const MAX_WORDS_AT_A_TIME = 1_000;

/** Parameters of `POST /users/me/alert_words`. */
export class AddAlertWordsDto {
  /** Words to add, in any case. */
  @Parameter(json.array(json.text({ maxLength: MAX_WORD_LENGTH }), { maxItems: MAX_WORDS_AT_A_TIME }), {
    example: ['lunch', 'coffee'],
  })
  alert_words!: string[];
}

/** Parameters of `DELETE /users/me/alert_words`. */
export class RemoveAlertWordsDto {
  /** Words to remove. */
  @Parameter(json.array(json.text(), { maxItems: MAX_WORDS_AT_A_TIME }), { example: ['lunch', 'coffee'] })
  alert_words!: string[];
}
