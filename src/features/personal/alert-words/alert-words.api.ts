import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError } from '../../../platform/errors/api-error';

const MAX_WORD_LENGTH = 100;

/** Clients may encode a letter as six characters. */
const WORDS_AT_A_TIME = { maxItems: 1_000, maxCharacters: 786_432 };

/** Parameters of `POST /users/me/alert_words`. */
export class AddAlertWordsDto {
  /** Words to add; case-insensitive. */
  @Parameter(json.array(json.text({ maxLength: MAX_WORD_LENGTH }), WORDS_AT_A_TIME), {
    example: ['lunch', 'coffee'],
  })
  alert_words!: string[];
}

/** Parameters of `DELETE /users/me/alert_words`. */
export class RemoveAlertWordsDto {
  /** Words to remove. */
  @Parameter(json.array(json.text(), WORDS_AT_A_TIME), { example: ['lunch', 'coffee'] })
  alert_words!: string[];
}

/** The recipient's alert words changed; the list is complete. */
export const alertWordsChanged = defineEvent<{ alert_words: readonly string[] }>('alert_words');

/** The limit on alert words is reached. */
export class TooManyAlertWords extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} alert words.`);
  }
}
