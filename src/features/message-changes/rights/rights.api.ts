import { ApiError, refusal } from '../../../platform/errors/api-error';

/** The message is the caller's to see, not to delete. */
export class MayNotDeleteMessage extends refusal("You don't have permission to delete this message") {}

/** The caller may delete own messages, and this one is too old. */
export class TooLateToDelete extends refusal('The time limit for deleting this message has passed') {}

/** Another request was faster. */
export class MessageAlreadyDeleted extends refusal('Message already deleted') {}

/** `allow_message_editing` is off. */
export class EditingSwitchedOff extends refusal('Your organization has turned off message editing') {}

/** The content is another person's, or the caller may not change the topic. */
export class MayNotEditMessage extends refusal("You don't have permission to edit this message") {}

/** The message is too old for this change. */
export class TooLateToEdit extends ApiError {
  /** @param part empty for the content, else what of the message, as in `'s topic` */
  constructor(part: '' | "'s topic" | "'s channel") {
    const end = part === "'s topic" ? '.' : '';
    super(`The time limit for editing this message${part} has passed${end}`);
  }
}

/** An edit names neither content nor topic nor channel. */
export class NothingToChange extends refusal('Nothing to change') {}

/** An edit names a channel for a direct message. */
export class DirectMessageToChannel extends refusal('Direct messages cannot be moved to channels.') {}

/** An edit names a topic for a direct message. */
export class DirectMessageWithTopic extends refusal('Direct messages cannot have topics.') {}

/** More messages than one are meant, but nothing that concerns more than one. */
export class PropagationWithoutMove extends refusal('Invalid propagate_mode without topic edit') {}

/** The empty topic is to be marked as resolved, which would give it a name. */
export class EmptyTopicResolved extends refusal('General chat cannot be marked as resolved') {}

/** One edit changes both the content and the channel; content and topic may go together. */
export class ContentWithChannel extends refusal('Cannot change message content while changing channel') {}

/** The message was edited since the caller saw it. */
export class OtherContentExpected extends ApiError {
  constructor(parameter: string) {
    super(`'${parameter}' value does not match the expected value.`, {
      code: 'EXPECTATION_MISMATCH',
      data: { field_name: parameter },
    });
  }
}

/** The permission to mark topics of the channel as resolved is missing. */
export class MayNotResolveTopics extends refusal(
  "You don't have permission to resolve topics in this channel.",
) {}

/** The permission to move messages out of the channel is missing. */
export class MayNotMoveMessage extends refusal("You don't have permission to move this message") {}

/** Messages may only be moved to where one may post. */
export class MayNotPostInTarget extends refusal('You do not have permission to post in this channel.') {}

/** Part of the topic is too old to be moved. */
export class MoveOfTopicTooLate extends ApiError {
  /**
   * @param first ID of the oldest message that may be moved
   * @param total of the topic's messages that the caller can see
   * @param allowed how many of them may be moved
   */
  constructor(first: number | null, total: number, allowed: number) {
    super(`You only have permission to move the ${allowed}/${total} most recent messages in this topic.`, {
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      data: {
        first_message_id_allowed_to_move: first,
        total_messages_in_topic: total,
        total_messages_allowed_to_move: allowed,
      },
    });
  }
}

/** More than one transaction can carry. */
export class TooManyToMove extends refusal('Too many messages to move at once.') {}

/** The organization hides edit histories. */
export class EditHistoryDisabled extends refusal('Message edit history is disabled in this organization') {}

/** The content of a poll, a to-do list or another widget, in which others have taken part, is to change. */
export class WidgetNotEditable extends refusal('Widgets cannot be edited.') {}
