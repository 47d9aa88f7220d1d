import { ApiError } from '../../../platform/errors/api-error';

/** A person who only sees that a channel exists may not decide who reads it. */
export class ChannelContentAccessRequired extends ApiError {
  constructor() {
    super('Channel content access is required.');
  }
}

/** Only administrators choose the channels that newcomers are subscribed to. */
export class MayNotChangeDefaultChannels extends ApiError {
  constructor() {
    super('You do not have permission to change default channels.');
  }
}

/** For requests that only make a channel a default one; see also `DefaultChannelCannotBePrivate`. */
export class PrivateChannelCannotBeDefault extends ApiError {
  constructor() {
    super('Private channels cannot be made default.');
  }
}

/** A change would leave a channel both archived and among those that newcomers get. */
export class ArchivedChannelCannotBeDefault extends ApiError {
  constructor() {
    super('Archived channels cannot be made default.');
  }
}

/** A channel is renamed to exactly the name it has. */
export class ChannelNameUnchanged extends ApiError {
  constructor() {
    super('Channel already has that name.');
  }
}

/** A channel is renamed to the name of another one, archived ones included. */
export class ChannelNameTaken extends ApiError {
  constructor() {
    super('Channel name is already in use.');
  }
}

/** A new channel asks for the name of another one, which may be archived. */
export class ChannelAlreadyExists extends ApiError {
  constructor(name: string) {
    super(`Channel '${name}' already exists`, { code: 'CHANNEL_ALREADY_EXISTS', status: 409 });
  }
}

/** A channel is archived a second time. */
export class ChannelAlreadyArchived extends ApiError {
  constructor() {
    super('Channel is already deactivated');
  }
}

/** A channel is to be brought back that was never archived. */
export class ChannelNotArchived extends ApiError {
  constructor() {
    super('Channel is not currently deactivated');
  }
}

/** Nobody could enter the channel if it were brought back. */
export class PrivateChannelWithoutSubscribers extends ApiError {
  constructor() {
    super('Channel is private and have no subscribers');
  }
}

/** `empty_topic_only` would hide messages that are in named topics. */
export class ChannelHasNamedTopics extends ApiError {
  /** @param displayName how the organization shows the empty topic */
  constructor(displayName: string) {
    super(`This takes a channel whose messages are all in the ${displayName} topic.`, {
      data: { empty_topic_display_name: displayName },
    });
  }
}

/** No bot has this ID, or it is the ID of a person other than the caller. */
export class UnknownEmailSender extends ApiError {
  constructor() {
    super('No such bot');
  }
}
