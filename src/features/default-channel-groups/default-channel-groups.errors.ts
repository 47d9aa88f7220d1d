import { ApiError } from '../../platform/errors/api-error';

/** No group has this ID. */
export class DefaultChannelGroupUnknown extends ApiError {
  constructor(groupId: number) {
    super(`Default channel group with id '${groupId}' does not exist.`);
  }
}

/** The name of a group is empty, or only white space. */
export class DefaultChannelGroupNameBlank extends ApiError {
  constructor(name: string) {
    super(`Invalid default channel group name '${name}'`);
  }
}

/** The name of a group has more code points than a name may have. */
export class DefaultChannelGroupNameTooLong extends ApiError {
  constructor(limit: number) {
    super(`Default channel group name too long (limit: ${limit} characters)`);
  }
}

/** The name of a group holds NUL. */
export class DefaultChannelGroupNameHasNull extends ApiError {
  constructor(name: string) {
    super(`Default channel group name '${name.replaceAll('\0', '')}' contains NULL (0x00) characters.`);
  }
}

/** The name of a group holds a character that names may not hold; they are those of channel names. */
export class DefaultChannelGroupNameCharacterInvalid extends ApiError {
  /** @param position of the first such character, counted from 1 in code points */
  constructor(position: number) {
    super(`Invalid character in default channel group name, at position ${position}.`);
  }
}

/** Another group has the name. */
export class DefaultChannelGroupExists extends ApiError {
  constructor(name: string) {
    super(`Default channel group '${name}' already exists`);
  }
}

/** A group is renamed to exactly the name it has. */
export class DefaultChannelGroupNameUnchanged extends ApiError {
  constructor(name: string) {
    super(`This default channel group is already named '${name}'`);
  }
}

/** A change of a group says neither what to call it nor how to describe it. */
export class DefaultChannelGroupChangeMissing extends ApiError {
  constructor() {
    super('You must pass "new_description" or "new_group_name".');
  }
}

/** Newcomers get default channels whatever they choose. */
export class ChannelIsDefault extends ApiError {
  constructor(channel: string, group: string) {
    super(`'${channel}' is a default channel and cannot be added to '${group}'`);
  }
}

/** Whoever joins may choose a group, so that everybody must be able to reach its channels. */
export class ChannelIsPrivate extends ApiError {
  constructor(channel: string, group: string) {
    super(`'${channel}' is private and cannot be added to '${group}'`);
  }
}

/** A channel is added to a group that it is in. */
export class ChannelAlreadyInGroup extends ApiError {
  constructor(channel: string, group: string) {
    super(`Channel '${channel}' is already present in default channel group '${group}'`);
  }
}

/** A channel is removed from a group that it is not in. */
export class ChannelNotInGroup extends ApiError {
  constructor(channel: string, group: string) {
    super(`Channel '${channel}' is not present in default channel group '${group}'`);
  }
}

/** There are as many groups as there may be. */
export class TooManyDefaultChannelGroups extends ApiError {
  constructor(limit: number) {
    super(`There can be at most ${limit} default channel groups.`);
  }
}

/** A group would have more channels than a group may have. */
export class TooManyChannelsInGroup extends ApiError {
  constructor(limit: number) {
    super(`A default channel group can have at most ${limit} channels.`);
  }
}
