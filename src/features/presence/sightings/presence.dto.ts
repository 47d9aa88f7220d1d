import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { PresenceQuestion } from './presence-list.service';

const flag = json.boolean();

/** Parameters of `POST /users/me/presence`. */
export class ReportPresenceDto {
  /** `active`, or `idle` where the client is open and nobody uses it. */
  @Parameter(text()) status!: string;
  /** Whether the answer holds nobody's presence. */
  @Parameter(flag, { default: false }) ping_only!: boolean;
  /** Whether somebody has just used the client. */
  @Parameter(flag, { default: false }) new_user_input!: boolean;
  /** Whether the answer is by IDs rather than by addresses. */
  @Parameter(flag, { default: false }) slim_presence!: boolean;
  /** `presence_last_update_id` of the answer before: only what changed since is given. -1 at first. */
  @Parameter(json.integer(), { optional: true }) last_update_id?: number;
  /** Days after which people who were not seen are left out. */
  @Parameter(json.integer({ min: 0 }), { optional: true }) history_limit_days?: number;
}

/** Parameters of `GET /users/{user_id_or_email}/presence`. */
export class PersonPresenceDto {
  /** ID or address of the account. */
  @PathParameter(text()) user_id_or_email!: string;
}

/** What the client wants to know of others in answer to its report. */
export function toPresenceQuestion(dto: ReportPresenceDto): PresenceQuestion {
  return {
    isSlim: dto.slim_presence || dto.last_update_id !== undefined,
    after: dto.last_update_id,
    historyDays: dto.history_limit_days,
  };
}
