import { escapeHtml } from '../markdown/sanitize';
import { ApiError } from '../../../platform/errors/api-error';

/** No such message, or one out of reach: the same words for both. */
export class InvalidMessage extends ApiError {
  constructor() {
    super('Invalid message(s)');
  }
}

/** No channel has this name. The name is escaped, as web clients put it into a page. */
export class ChannelNameUnknown extends ApiError {
  constructor(name: string) {
    super(`Channel '${name}' does not exist`, {
      code: 'STREAM_DOES_NOT_EXIST',
      data: { stream: escapeHtml(name) },
    });
  }
}

/** No channel that the caller may know of has this ID. */
export class ChannelIdUnknown extends ApiError {
  constructor(channelId: number) {
    super(`Channel with ID '${channelId}' does not exist`, {
      code: 'STREAM_DOES_NOT_EXIST',
      data: { stream_id: channelId },
    });
  }
}

/** Neither the request nor the bot's settings name a channel. */
export class MissingChannel extends ApiError {
  constructor() {
    super('Missing channel');
  }
}

/** A channel message is sent without a topic; the empty one has to be named too. */
export class MissingTopic extends ApiError {
  constructor() {
    super('Missing topic');
  }
}

/** A direct message is sent to an empty list of people. */
export class MissingRecipients extends ApiError {
  constructor() {
    super('Message must have recipients');
  }
}

/** A direct message names an address that belongs to nobody whom the sender sees. */
export class InvalidRecipientEmail extends ApiError {
  constructor(email: string) {
    super(`Invalid email '${email}'`);
  }
}

/** A direct message names an ID that no account has. */
export class InvalidRecipientId extends ApiError {
  constructor(userId: number) {
    super(`Invalid user ID ${userId}`);
  }
}

/** A guest names a person whom the organization keeps out of their sight. */
export class RecipientNotVisible extends ApiError {
  constructor() {
    super('You do not have permission to access some of the recipients.');
  }
}

/** A direct message names a person whose account is deactivated. */
export class RecipientDeactivated extends ApiError {
  constructor(email: string) {
    super(`'${email}' is no longer using Zulip.`);
  }
}

/** `direct_message_permission_group` is nobody. */
export class DirectMessagesDisabled extends ApiError {
  constructor() {
    super('Direct messages are disabled in this organization.');
  }
}

/** Nobody in the conversation is in `direct_message_permission_group`. */
export class NobodyMayAuthorize extends ApiError {
  constructor() {
    super('This conversation does not include any users who can authorize it.');
  }
}

/** The conversation would be new and the sender is not in `direct_message_initiator_group`. */
export class MayNotStartConversation extends ApiError {
  constructor() {
    super('You do not have permission to initiate direct message conversations.');
  }
}

/** A message mentions everybody in a channel with more people than the sender may reach so. */
export class ChannelWildcardNotAllowed extends ApiError {
  constructor() {
    super('You do not have permission to use channel wildcard mentions in this channel.', {
      code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    });
  }
}

/** A message mentions everybody in a topic with more people than the sender may reach so. */
export class TopicWildcardNotAllowed extends ApiError {
  constructor() {
    super('You do not have permission to use topic wildcard mentions in this topic.', {
      code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    });
  }
}

/** The sender is not in the group's `can_mention_group`. */
export class GroupMentionNotAllowed extends ApiError {
  constructor(groupName: string) {
    super(`You are not allowed to mention user group '${groupName}'.`);
  }
}

/** `sender` is for mirrors of other chat systems, which this server does not have. */
export class MirroringNotSupported extends ApiError {
  constructor() {
    super('Invalid mirrored message');
  }
}

/** Sending in another person's name, or at another time. */
export class ForgingNotAllowed extends ApiError {
  constructor() {
    super('User not authorized for this query');
  }
}

/** One request asks for more messages than one answer may hold. */
export class TooManyMessages extends ApiError {
  constructor(limit: number) {
    super(`Too many messages requested (maximum ${limit}).`);
  }
}

/** The messages with the given IDs would make too large an answer. */
export class MessagesTooLarge extends ApiError {
  constructor() {
    super('The messages are too large for one answer. Ask for fewer.');
  }
}

/** `message_ids` together with what describes a range. */
export class IdsWithRange extends ApiError {
  constructor() {
    const parameters = 'num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor';
    super(`Unsupported parameter combination: ${parameters}`, { data: { parameters } });
  }
}

/** A narrow that cannot be answered; `desc` repeats the reason. */
export class BadNarrow extends ApiError {
  constructor(desc: string) {
    super(`Invalid narrow operator: ${desc}`, { code: 'BAD_NARROW', data: { desc } });
  }
}

/** Operators that cannot stand together. */
export class BadNarrowCombination extends ApiError {
  constructor(desc: string) {
    super(`Invalid narrow operator combination: ${desc}`, { code: 'BAD_NARROW', data: { desc } });
  }
}
