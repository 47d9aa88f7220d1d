import { json } from '../../platform/http/parameters/json';
import { Parameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';

/** Parameters of `GET /events` (messages reference 7.1). */
export class PollEventsDto {
  @Parameter(text()) queue_id!: string;
  @Parameter(json.integer()) last_event_id!: number;
  @Parameter(json.boolean(), { default: false }) dont_block!: boolean;
}

/** Parameters of `DELETE /events` (messages reference 7.5). */
export class DeleteQueueDto {
  @Parameter(text()) queue_id!: string;
}
