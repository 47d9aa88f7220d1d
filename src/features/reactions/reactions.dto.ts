import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { EmojiType } from '../emoji/emoji.wire';

/** Parameters of `POST /messages/{message_id}/reactions` (spec, endpoint 18). */
export class AddReactionDto {
  @PathParameter() message_id!: number;
  @Parameter(text()) emoji_name!: string;
  @Parameter(text(), { optional: true }) emoji_code?: string;
  @Parameter(text(), { optional: true }) reaction_type?: string;
}

/** Parameters of `DELETE /messages/{message_id}/reactions` (groups reference 8.4). */
export class RemoveReactionDto {
  @PathParameter() message_id!: number;
  @Parameter(text(), { optional: true }) emoji_name?: string;
  @Parameter(text(), { optional: true }) emoji_code?: string;
  @Parameter(text(), { default: EmojiType.unicode }) reaction_type!: string;
}
