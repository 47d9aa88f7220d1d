import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import type { AskedStatus } from './user-status.service';

const MAX_STATUS_LENGTH = 60;

const optional = { optional: true } as const;

/** Parameters of `POST /users/me/status`. */
export class UpdateStatusDto {
  @Parameter(text({ trim: true, maxLength: MAX_STATUS_LENGTH }), optional) status_text?: string;
  @Parameter(json.boolean(), optional) away?: boolean;
  @Parameter(text(), optional) emoji_name?: string;
  @Parameter(text(), optional) emoji_code?: string;
  @Parameter(text(), optional) reaction_type?: string;
}

/** Parameters of `GET /users/{user_id}/status`. */
export class GetStatusDto {
  @PathParameter() user_id!: number;
}

export function toAskedStatus(dto: UpdateStatusDto): AskedStatus {
  return {
    text: dto.status_text,
    isAway: dto.away,
    emoji: { name: dto.emoji_name, code: dto.emoji_code, type: dto.reaction_type },
  };
}
