import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError } from '../../../platform/errors/api-error';

const MAX_WORD_LENGTH = 100;

/** Clients may write a letter as six characters. */
const WORDS_AT_A_TIME = { maxItems: 1_000, maxCharacters: 786_432 };

/** Parameters of `POST /users/me/alert_words`. */
export class AddAlertWordsDto {
  /** Words to add, in any case. */
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

/** The receiver's alert words changed; the list is complete. */
export const alertWordsChanged = defineEvent<{ alert_words: readonly string[] }>('alert_words');

/** A person wants to be alerted to too many words. */
export class TooManyAlertWords extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} alert words.`);
  }
}
