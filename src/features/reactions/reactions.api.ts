import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { EmojiType } from '../emoji/emoji.module';
import { defineEvent } from '../../platform/events/server-event';
import { ApiError, refusal } from '../../platform/errors/api-error';

/** A reaction in a message record. */
export interface ReactionWire {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
  readonly user_id: number;
}

/** A reaction and its message, as read from its row and as used in events. */
export interface StoredReactionWire extends ReactionWire {
  readonly message_id: number;
}

const EMOJI_TYPES = { enum: Object.values(EmojiType) };

/** Parameters of `POST /messages/{message_id}/reactions`. */
export class AddReactionDto {
  /** ID of the message. */
  @PathParameter() message_id!: number;
  /** Name of the emoji, without colons. */
  @Parameter(text()) emoji_name!: string;
  /** Code of the emoji; determined by the name if omitted. */
  @Parameter(text(), { optional: true }) emoji_code?: string;
  /** Kind of the emoji: `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. */
  @Parameter(text(), { optional: true, checked: EMOJI_TYPES }) reaction_type?: string;
}

/** Parameters of `DELETE /messages/{message_id}/reactions`. */
export class RemoveReactionDto {
  /** ID of the message. */
  @PathParameter() message_id!: number;
  /** Name of the emoji, without colons. */
  @Parameter(text(), { optional: true }) emoji_name?: string;
  /** Code of the emoji; determined by the name if omitted. */
  @Parameter(text(), { optional: true }) emoji_code?: string;
  /** Kind of the emoji: `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. */
  @Parameter(text(), { default: EmojiType.unicode, checked: EMOJI_TYPES }) reaction_type!: string;
}

/** Events contain more about the user than message records do. */
interface ReactionPayload extends StoredReactionWire {
  readonly user: { readonly user_id: number; readonly email: string; readonly full_name: string };
}

/** A person reacted to a message. */
export const reactionAdded = defineEvent<ReactionPayload>('reaction', 'add');

/** A person removed a reaction. */
export const reactionRemoved = defineEvent<ReactionPayload>('reaction', 'remove');

/** The caller has already reacted to this message with this emoji. */
export class ReactionAlreadyExists extends refusal('Reaction already exists.', {
  code: 'REACTION_ALREADY_EXISTS',
}) {}

/** The caller has no such reaction to remove. */
export class ReactionDoesNotExist extends refusal("Reaction doesn't exist.", {
  code: 'REACTION_DOES_NOT_EXIST',
}) {}

/** The caller has reached their limit of reactions to this message, or the message has reached its own. */
export class TooManyReactions extends ApiError {
  constructor({ ofPerson, emoji, all }: Readonly<Record<'ofPerson' | 'emoji' | 'all', number>>) {
    super(
      `Too many reactions. A message can have up to ${ofPerson} reactions per user, ${emoji} different emoji and ${all} reactions in total.`,
    );
  }
}

/** Neither of the parameters that identify the emoji was sent. */
export class MissingEmoji extends refusal(
  'At least one of the following arguments must be present: emoji_name, emoji_code',
) {}
