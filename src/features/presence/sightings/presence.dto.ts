import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { PresenceQuestion } from './presence-list.service';

const flag = json.boolean();

/** Parameters of `POST /users/me/presence`. */
export class ReportPresenceDto {
  /** `active`, or `idle` if the client is open but not used. */
  @Parameter(text()) status!: string;
  /** Whether to omit everybody's presence from the answer. */
  @Parameter(flag, { default: false }) ping_only!: boolean;
  /** Whether the person has just used the client. */
  @Parameter(flag, { default: false }) new_user_input!: boolean;
  /** Whether the answer is by IDs rather than by addresses. */
  @Parameter(flag, { default: false }) slim_presence!: boolean;
  /** `presence_last_update_id` of the previous answer: only what changed since is sent. -1 at first. */
  @Parameter(json.integer(), { optional: true }) last_update_id?: number;
  /** People who were not online for this many days are omitted. */
  @Parameter(json.integer({ min: 0 }), { optional: true }) history_limit_days?: number;
}

/** Parameters of `GET /users/{user_id_or_email}/presence`. */
export class PersonPresenceDto {
  /** ID or address of the account. */
  @PathParameter(text()) user_id_or_email!: string;
}

/** What the client asks about others in the answer to its report. */
export function toPresenceQuestion(dto: ReportPresenceDto): PresenceQuestion {
  return {
    isSlim: dto.slim_presence || dto.last_update_id !== undefined,
    after: dto.last_update_id,
    historyDays: dto.history_limit_days,
  };
}
