import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { EmojiType } from '../emoji';

/** Parameters of `POST /messages/{message_id}/reactions`. */
export class AddReactionDto {
  /** ID of the message. */
  @PathParameter() message_id!: number;
  /** Name of the emoji, without colons. */
  @Parameter(text()) emoji_name!: string;
  /** Code of the emoji, which follows from the name if left out. */
  @Parameter(text(), { optional: true }) emoji_code?: string;
  /** Kind of the emoji: `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. */
  @Parameter(text(), { optional: true }) reaction_type?: string;
}

/** Parameters of `DELETE /messages/{message_id}/reactions`. */
export class RemoveReactionDto {
  /** ID of the message. */
  @PathParameter() message_id!: number;
  /** Name of the emoji, without colons. */
  @Parameter(text(), { optional: true }) emoji_name?: string;
  /** Code of the emoji, which follows from the name if left out. */
  @Parameter(text(), { optional: true }) emoji_code?: string;
  /** Kind of the emoji: `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. */
  @Parameter(text(), { default: EmojiType.unicode }) reaction_type!: string;
}
