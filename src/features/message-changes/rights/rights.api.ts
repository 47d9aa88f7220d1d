import { ApiError, refusal } from '../../../platform/errors/api-error';

/** The caller can see the message but may not delete it. */
export class MayNotDeleteMessage extends refusal("You don't have permission to delete this message") {}

/** The caller may delete their own messages, but this one is too old. */
export class TooLateToDelete extends refusal('The time limit for deleting this message has passed') {}

/** Another request deleted the message first. */
export class MessageAlreadyDeleted extends refusal('Message already deleted') {}

/** `allow_message_editing` is off. */
export class EditingSwitchedOff extends refusal('Your organization has turned off message editing') {}

/** The message is another person's, or the caller may not change the topic. */
export class MayNotEditMessage extends refusal("You don't have permission to edit this message") {}

/** The message is too old for this change. */
export class TooLateToEdit extends ApiError {
  /** @param part empty for the content, otherwise the part of the message, such as `'s topic` */
  constructor(part: '' | "'s topic" | "'s channel") {
    const end = part === "'s topic" ? '.' : '';
    super(`The time limit for editing this message${part} has passed${end}`);
  }
}

/** The edit contains neither content nor topic nor channel. */
export class NothingToChange extends refusal('Nothing to change') {}

/** The edit of a direct message contains a channel. */
export class DirectMessageToChannel extends refusal('Direct messages cannot be moved to channels.') {}

/** The edit of a direct message contains a topic. */
export class DirectMessageWithTopic extends refusal('Direct messages cannot have topics.') {}

/** Several messages are selected, but there is nothing to change about more than one. */
export class PropagationWithoutMove extends refusal('Invalid propagate_mode without topic edit') {}

/** The empty topic cannot be resolved, because that would give it a name. */
export class EmptyTopicResolved extends refusal('General chat cannot be marked as resolved') {}

/** An edit cannot change both the content and the channel; content and topic are allowed. */
export class ContentWithChannel extends refusal('Cannot change message content while changing channel') {}

/** The message was edited after the caller loaded it. */
export class ContentChangedMeanwhile extends ApiError {
  constructor(parameter: string) {
    super(`'${parameter}' value does not match the expected value.`, {
      code: 'EXPECTATION_MISMATCH',
      data: { field_name: parameter },
    });
  }
}

/** The caller may not resolve topics of the channel. */
export class MayNotResolveTopics extends refusal(
  "You don't have permission to resolve topics in this channel.",
) {}

/** The caller may not move messages out of the channel. */
export class MayNotMoveMessage extends refusal("You don't have permission to move this message") {}

/** The caller may not post at the destination. */
export class MayNotPostInTarget extends refusal('You do not have permission to post in this channel.') {}

/** Part of the topic is too old to be moved. */
export class MoveOfTopicTooLate extends ApiError {
  /**
   * @param first ID of the oldest message that may be moved
   * @param total number of the topic's messages that the caller can see
   * @param allowed number of messages that may be moved
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

/** The move exceeds what one transaction can process. */
export class TooManyToMove extends refusal('Too many messages to move at once.') {}

/** The organization hides edit histories. */
export class EditHistoryDisabled extends refusal('Message edit history is disabled in this organization') {}

/** The content of a poll, a to-do list or another widget, in which others have taken part, is to change. */
export class WidgetNotEditable extends refusal('Widgets cannot be edited.') {}
