import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import type { PresenceQuestion } from './presence-list.service';

const flag = json.boolean();

/** Parameters of `POST /users/me/presence`. */
export class ReportPresenceDto {
  @Parameter(text()) status!: string;
  @Parameter(flag, { default: false }) ping_only!: boolean;
  @Parameter(flag, { default: false }) new_user_input!: boolean;
  @Parameter(flag, { default: false }) slim_presence!: boolean;
  @Parameter(json.integer(), { optional: true }) last_update_id?: number;
  @Parameter(json.integer({ min: 0 }), { optional: true }) history_limit_days?: number;
}

/** Parameters of `GET /users/{user_id_or_email}/presence`. */
export class PersonPresenceDto {
  @PathParameter(text()) user_id_or_email!: string;
}

export function toPresenceQuestion(dto: ReportPresenceDto): PresenceQuestion {
  return {
    isSlim: dto.slim_presence || dto.last_update_id !== undefined,
    after: dto.last_update_id,
    historyDays: dto.history_limit_days,
  };
}
