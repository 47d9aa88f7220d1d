import type { ChannelRecord } from '../store/channel.directory';
import type { StoredGroup } from './default-channel-group.entity';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../../platform/http/parameters/text';
import { defineEvent, type ServerEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** Most channels of a group, and of a request. */
export const MAX_CHANNELS = 500;

/** A group as clients see it. */
export interface DefaultChannelGroupWire {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** IDs of its channels, in the order of their names. */
  readonly streams: readonly number[];
}

/** What clients are told of groups when they register. */
export function defaultChannelGroupsState(groups: readonly DefaultChannelGroupWire[]) {
  return { realm_default_stream_groups: groups };
}

/** @param channels every channel, in the order of their names */
export function defaultChannelGroupWire(
  { id, name, description, channelIds }: StoredGroup,
  channels: readonly ChannelRecord[],
): DefaultChannelGroupWire {
  const streams = channels.filter((channel) => channelIds.has(channel.id)).map((channel) => channel.id);
  return { id, name, description, streams };
}

/** Longest name of a group of default channels, in code points. */
export const MAX_DEFAULT_GROUP_NAME_LENGTH = 60;

/** The service checks names, with its own error texts. */
const groupName = text({ unchecked: true });
const LENGTHS = { minLength: 1, maxLength: MAX_DEFAULT_GROUP_NAME_LENGTH };

const description = text({ maxLength: 1024 });

const channelNames = json.array(json.text(), { maxItems: MAX_CHANNELS });
const EXAMPLE = { example: ['design', 'frontend'] };

/** Parameters of `POST /default_stream_groups/create`. */
export class CreateDefaultChannelGroupDto {
  /** Name of the group. */
  @Parameter(groupName, { checked: LENGTHS }) group_name!: string;

  /** What its channels are for. */
  @Parameter(description) description!: string;

  /** Names of its channels. */
  @Parameter(channelNames, EXAMPLE) stream_names!: string[];
}

/** Parameters of what is done to a group. */
export class DefaultChannelGroupPathDto {
  /** ID of the group. */
  @PathParameter() group_id!: number;
}

/** Parameters of `PATCH /default_stream_groups/{group_id}`; one that is empty counts as left out, where both are. */
export class UpdateDefaultChannelGroupDto extends DefaultChannelGroupPathDto {
  /** Another name. */
  @Parameter(groupName, { optional: true, checked: LENGTHS }) new_group_name?: string;

  /** What its channels are for. */
  @Parameter(description, { optional: true }) new_description?: string;
}

/** Parameters of `PATCH /default_stream_groups/{group_id}/streams`. */
export class DefaultChannelGroupChannelsDto extends DefaultChannelGroupPathDto {
  /** Whether channels are added or removed. */
  @Parameter(
    oneOf(['add', 'remove'], { refusal: 'Invalid value for "op". Specify one of "add" or "remove".' }),
  )
  op!: 'add' | 'remove';

  /** Names of the channels. */
  @Parameter(channelNames, EXAMPLE) stream_names!: string[];
}

/** The default channel groups, all that there are. */
const groupsReplaced = defineEvent<{ default_stream_groups: readonly DefaultChannelGroupWire[] }>(
  'default_stream_groups',
);

/** The default channel groups changed, or those that the receiver may see: all that there are now. */
export function defaultChannelGroupsReplaced(groups: readonly DefaultChannelGroupWire[]): ServerEvent {
  return groupsReplaced({ default_stream_groups: groups });
}

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
export class DefaultChannelGroupChangeMissing extends refusal(
  'You must pass "new_description" or "new_group_name".',
) {}

/** Newcomers get default channels whatever they choose. */
export class ChannelIsDefault extends ApiError {
  constructor(channel: string, group: string) {
    super(`'${channel}' is a default channel and cannot be added to '${group}'`);
  }
}

/** Any newcomer may choose a group, so its channels must be open to everyone. */
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
