import { ApiError, refusal } from '../../../platform/errors/api-error';

/** Unknown or hidden channel. The text is the same for both, so that private channels stay secret. */
export class InvalidChannelId extends refusal('Invalid channel ID') {}

/** Like {@link InvalidChannelId}, where a channel is named by its name. */
export class InvalidChannelName extends ApiError {
  constructor(name: string) {
    super(`Invalid channel name '${name}'`);
  }
}

/** The name of a channel is empty, or only white space. */
export class ChannelNameEmpty extends refusal("Channel name can't be empty.") {}

/** The name of a channel has more code points than a name may have. */
export class ChannelNameTooLong extends ApiError {
  constructor(limit: number) {
    super(`Channel name too long (limit: ${limit} characters).`);
  }
}

/** The name of a channel holds a control character or another one that names may not hold. */
export class ChannelNameCharacterInvalid extends ApiError {
  /** @param position of the first such character, counted from 1 in code points */
  constructor(position: number) {
    super(`Invalid character in channel name, at position ${position}.`);
  }
}

/** The caller sees the channel, but may not change its settings. */
export class MayNotAdministerChannel extends refusal(
  'You do not have permission to administer this channel.',
) {}

/** The sender, and for a bot its owner as well, lacks `can_send_message_group`. */
export class MayNotPostInChannel extends refusal('You do not have permission to post in this channel.') {}

/** The channel is archived, or the sender cannot reach it. */
export class NotAuthorizedToSend extends ApiError {
  constructor(channelName: string) {
    super(`Not authorized to send to channel '${channelName}'`);
  }
}

/** The topic is new and the sender lacks `can_create_topic_group`. */
export class MayNotCreateTopics extends refusal(
  'You do not have permission to create topics in this channel.',
) {}

/** The channel's policy asks for named topics. */
export class EmptyTopicRefused extends ApiError {
  /** @param displayName how the organization shows the empty topic */
  constructor(displayName: string) {
    super(`Sending messages to the ${displayName} is not allowed in this channel.`, {
      data: { empty_topic_display_name: displayName },
    });
  }
}

/** The channel's policy allows the empty topic alone. */
export class NamedTopicRefused extends ApiError {
  /** @param displayName how the organization shows the empty topic */
  constructor(displayName: string) {
    super(`Only the ${displayName} topic is allowed in this channel.`, {
      data: { empty_topic_display_name: displayName },
    });
  }
}

/** Unsubscribing names a channel that does not exist. */
export class ChannelDoesNotExist extends ApiError {
  constructor(name: string) {
    super(`Channel '${name}' does not exist`, { code: 'STREAM_DOES_NOT_EXIST', data: { stream: name } });
  }
}

/** Subscribing to a channel that exists and is closed to the caller. */
export class ChannelInaccessible extends ApiError {
  constructor(name: string) {
    super(`Unable to access channel (${name}).`);
  }
}

/** The caller can reach the channel and is not subscribed to it. */
export class NotSubscribed extends ApiError {
  constructor(channelId: number) {
    super(`Not subscribed to channel ID ${channelId}`);
  }
}

/** A principal is no account of this organization. */
export class PrincipalUnknown extends refusal('No such user') {}

/** `message_retention_days` is neither a positive integer nor one of the words. */
export class BadRetention extends ApiError {
  constructor(value: unknown) {
    super(`Bad value for 'message_retention_days': ${String(value)}`, {
      code: 'REQUEST_VARIABLE_INVALID',
      data: { var_name: 'message_retention_days', bad_value: value },
    });
  }
}

/** No channel folder has this ID. */
export class InvalidChannelFolder extends refusal('Invalid channel folder ID') {}

/** Newcomers are put into default channels, so they must be able to reach them. */
export class DefaultChannelCannotBePrivate extends refusal('A default channel cannot be private.') {}

/** The server or the organization does not offer web-public channels. */
export class WebPublicChannelsDisabled extends refusal('Web-public channels are not enabled.') {}

/** A combination of privacy settings that cannot be. */
export class InvalidPrivacy extends refusal('Invalid parameters') {}

/** Two parameters that exclude each other. */
export class UnsupportedCombination extends ApiError {
  constructor(...parameters: string[]) {
    super(`Unsupported parameter combination: ${parameters.join(', ')}`, {
      data: { parameters: parameters.join(', ') },
    });
  }
}

/** A colour is `#` and three to six hexadecimal digits. */
export class InvalidColor extends ApiError {
  /** @param prefix where the value stands in a larger parameter; empty for a separate parameter */
  constructor(prefix = '') {
    super(`${prefix}color is not a valid hex color code`);
  }
}

/** A personal setting of a subscription is changed that does not exist. */
export class UnknownSubscriptionProperty extends ApiError {
  constructor(property: string) {
    super(`Unknown subscription property: ${property}`);
  }
}

/** A personal setting of a subscription that is on or off gets another value. */
export class PropertyNotBoolean extends ApiError {
  constructor(property: string) {
    super(`${property} is not a boolean`);
  }
}

/** `include_all_active` is for administrators. */
export class QueryNotAuthorized extends refusal('User not authorized for this query') {}

/** `PATCH /users/me/subscriptions` without anything to do. */
export class NoSubscriptionsNamed extends refusal(
  'Nothing to do. Specify at least one of "add" or "delete".',
) {}
