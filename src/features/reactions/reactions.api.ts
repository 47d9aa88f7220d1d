import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { EmojiType } from '../emoji/emoji.module';
import { defineEvent } from '../../platform/events/server-event';
import { ApiError, refusal } from '../../platform/errors/api-error';

/** A reaction as message records show it. */
export interface ReactionWire {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
  readonly user_id: number;
}

/** A reaction with the message it is to, as its row is read and as events tell it. */
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
  /** Code of the emoji, which follows from the name if left out. */
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
  /** Code of the emoji, which follows from the name if left out. */
  @Parameter(text(), { optional: true }) emoji_code?: string;
  /** Kind of the emoji: `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. */
  @Parameter(text(), { default: EmojiType.unicode, checked: EMOJI_TYPES }) reaction_type!: string;
}

/** Unlike message records, events say more of whose the reaction is. */
interface ReactionPayload extends StoredReactionWire {
  readonly user: { readonly user_id: number; readonly email: string; readonly full_name: string };
}

/** A person reacted to a message. */
export const reactionAdded = defineEvent<ReactionPayload>('reaction', 'add');

/** A person took a reaction back. */
export const reactionRemoved = defineEvent<ReactionPayload>('reaction', 'remove');

/** The caller has reacted with this emoji to this message before. */
export class ReactionAlreadyExists extends refusal('Reaction already exists.', {
  code: 'REACTION_ALREADY_EXISTS',
}) {}

/** The caller has no such reaction to take back. */
export class ReactionDoesNotExist extends refusal("Reaction doesn't exist.", {
  code: 'REACTION_DOES_NOT_EXIST',
}) {}

/** The caller, or everybody together, has reacted to this message as often as is allowed. */
export class TooManyReactions extends ApiError {
  constructor({ ofPerson, emoji, all }: Readonly<Record<'ofPerson' | 'emoji' | 'all', number>>) {
    super(
      `Too many reactions. A message can have up to ${ofPerson} reactions per user, ${emoji} different emoji and ${all} reactions in total.`,
    );
  }
}

/** Neither of the parameters that could say which reaction is meant. */
export class MissingEmoji extends refusal(
  'At least one of the following arguments must be present: emoji_name, emoji_code',
) {}
