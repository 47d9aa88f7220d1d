import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';

/** Parameters of `GET /events`. */
export class PollEventsDto {
  /** The queue that `POST /register` gave. */
  @Parameter(text()) queue_id!: string;
  /** ID of the newest event that the client has. */
  @Parameter(json.integer()) last_event_id!: number;
  /** Whether to answer at once, even with nothing. */
  @Parameter(json.boolean(), { default: false }) dont_block!: boolean;
}

/** Parameters of `DELETE /events`. */
export class DeleteQueueDto {
  /** The queue that `POST /register` gave. */
  @Parameter(text()) queue_id!: string;
}
