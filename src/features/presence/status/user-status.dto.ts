import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { AskedStatus } from './user-status.service';

const MAX_STATUS_LENGTH = 60;

const optional = { optional: true } as const;

/** The new status. */
class StatusDto {
  /** Text of the status; empty for none. */
  @Parameter(text({ trim: true, maxLength: MAX_STATUS_LENGTH }), optional) status_text?: string;
  /** Name of an emoji; empty for none. */
  @Parameter(text(), optional) emoji_name?: string;
  /** Code of the emoji, which follows from the name if omitted. */
  @Parameter(text(), optional) emoji_code?: string;
  /** Kind of the emoji: `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. */
  @Parameter(text(), optional) reaction_type?: string;
}

/** Parameters of `POST /users/me/status`. */
export class UpdateOwnStatusDto extends StatusDto {
  /** Older way to hide one's presence. */
  @Parameter(json.boolean(), optional) away?: boolean;
}

/** Parameters of `POST /users/{user_id}/status`. */
export class UpdateStatusDto extends StatusDto {
  /** ID of the account. */
  @PathParameter() user_id!: number;
}

/** Parameters of `GET /users/{user_id}/status`. */
export class GetStatusDto {
  /** ID of the account. */
  @PathParameter() user_id!: number;
}

/** Converts the parameters; undefined leaves a part as it is. */
export function toAskedStatus(dto: StatusDto): AskedStatus {
  return {
    text: dto.status_text,
    emoji: { name: dto.emoji_name, code: dto.emoji_code, type: dto.reaction_type },
  };
}
