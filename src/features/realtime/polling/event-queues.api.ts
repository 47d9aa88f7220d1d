import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';

/** Parameters of `GET /events`. */
export class PollEventsDto {
  /** The queue that `POST /register` gave. It has to be there, but its absence is refused in Zulip's way. */
  @Parameter(text(), { optional: true }) queue_id?: string;
  /** ID of the newest event that the client has; has to be there, too. */
  @Parameter(json.integer(), { optional: true, checked: { minimum: -1 } }) last_event_id?: number;
  /** Whether to answer at once, even with nothing. */
  @Parameter(json.boolean(), { default: false }) dont_block!: boolean;
}

/** Parameters of `DELETE /events`. */
export class DeleteQueueDto {
  /** The queue that `POST /register` gave. */
  @Parameter(text()) queue_id!: string;
}
