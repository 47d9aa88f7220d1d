import type { ChannelRecord } from '../store/channel.directory';
import type { StoredGroup } from './default-channel-group.entity';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../../platform/http/parameters/text';
import { defineEvent, type ServerEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** Maximum number of channels per group, and per request. */
export const MAX_CHANNELS = 500;

/** A group as sent to clients. */
export interface DefaultChannelGroupWire {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** IDs of its channels, sorted by name. */
  readonly streams: readonly number[];
}

/** Initial state of the groups for clients. */
export function defaultChannelGroupsState(groups: readonly DefaultChannelGroupWire[]) {
  return { realm_default_stream_groups: groups };
}

/** @param channels all channels, sorted by name */
export function defaultChannelGroupWire(
  { id, name, description, channelIds }: StoredGroup,
  channels: readonly ChannelRecord[],
): DefaultChannelGroupWire {
  const streams = channels.filter((channel) => channelIds.has(channel.id)).map((channel) => channel.id);
  return { id, name, description, streams };
}

/** Maximum length of a group's name, in code points. */
export const MAX_DEFAULT_GROUP_NAME_LENGTH = 60;

/** The service validates names, because they have their own errors. */
const groupName = text({ unchecked: true });
const LENGTHS = { minLength: 1, maxLength: MAX_DEFAULT_GROUP_NAME_LENGTH };

const description = text({ maxLength: 1024 });

const channelNames = json.array(json.text(), { maxItems: MAX_CHANNELS });
const EXAMPLE = { example: ['design', 'frontend'] };

/** Parameters of `POST /default_stream_groups/create`. */
export class CreateDefaultChannelGroupDto {
  /** Name of the group. */
  @Parameter(groupName, { checked: LENGTHS }) group_name!: string;

  /** Description of the group. */
  @Parameter(description) description!: string;

  /** Names of its channels. */
  @Parameter(channelNames, EXAMPLE) stream_names!: string[];
}

/** Path parameters of a group. */
export class DefaultChannelGroupPathDto {
  /** ID of the group. */
  @PathParameter() group_id!: number;
}

/** Parameters of `PATCH /default_stream_groups/{group_id}`. If both are sent, an empty one counts as omitted. */
export class UpdateDefaultChannelGroupDto extends DefaultChannelGroupPathDto {
  /** New name of the group. */
  @Parameter(groupName, { optional: true, checked: LENGTHS }) new_group_name?: string;

  /** New description of the group. */
  @Parameter(description, { optional: true }) new_description?: string;
}

/** Parameters of `PATCH /default_stream_groups/{group_id}/streams`. */
export class DefaultChannelGroupChannelsDto extends DefaultChannelGroupPathDto {
  /** Whether to add or remove the channels. */
  @Parameter(
    oneOf(['add', 'remove'], { refusal: 'Invalid value for "op". Specify one of "add" or "remove".' }),
  )
  op!: 'add' | 'remove';

  /** Names of the channels. */
  @Parameter(channelNames, EXAMPLE) stream_names!: string[];
}

/** All default channel groups. */
const groupsReplaced = defineEvent<{ default_stream_groups: readonly DefaultChannelGroupWire[] }>(
  'default_stream_groups',
);

/** The default channel groups changed, or the recipient's access to them; contains all groups. */
export function defaultChannelGroupsReplaced(groups: readonly DefaultChannelGroupWire[]): ServerEvent {
  return groupsReplaced({ default_stream_groups: groups });
}

/** No group has this ID. */
export class DefaultChannelGroupUnknown extends ApiError {
  constructor(groupId: number) {
    super(`Default channel group with id '${groupId}' does not exist.`);
  }
}

/** The name of a group is empty or white space. */
export class DefaultChannelGroupNameBlank extends ApiError {
  constructor(name: string) {
    super(`Invalid default channel group name '${name}'`);
  }
}

/** The name of a group exceeds the maximum length. */
export class DefaultChannelGroupNameTooLong extends ApiError {
  constructor(limit: number) {
    super(`Default channel group name too long (limit: ${limit} characters)`);
  }
}

/** The name of a group contains NUL. */
export class DefaultChannelGroupNameHasNull extends ApiError {
  constructor(name: string) {
    super(`Default channel group name '${name.replaceAll('\0', '')}' contains NULL (0x00) characters.`);
  }
}

/** The name of a group contains a character that is also forbidden in channel names. */
export class DefaultChannelGroupNameCharacterInvalid extends ApiError {
  /** @param position of the first such character, from 1, in code points */
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

/** The new name of a group equals its current name. */
export class DefaultChannelGroupNameUnchanged extends ApiError {
  constructor(name: string) {
    super(`This default channel group is already named '${name}'`);
  }
}

/** A change of a group contains neither a name nor a description. */
export class DefaultChannelGroupChangeMissing extends refusal(
  'You must pass "new_description" or "new_group_name".',
) {}

/** New users get default channels in any case. */
export class ChannelIsDefault extends ApiError {
  constructor(channel: string, group: string) {
    super(`'${channel}' is a default channel and cannot be added to '${group}'`);
  }
}

/** Any new user may choose a group, so its channels must be public. */
export class ChannelIsPrivate extends ApiError {
  constructor(channel: string, group: string) {
    super(`'${channel}' is private and cannot be added to '${group}'`);
  }
}

/** The channel to add is already in the group. */
export class ChannelAlreadyInGroup extends ApiError {
  constructor(channel: string, group: string) {
    super(`Channel '${channel}' is already present in default channel group '${group}'`);
  }
}

/** The channel to remove is not in the group. */
export class ChannelNotInGroup extends ApiError {
  constructor(channel: string, group: string) {
    super(`Channel '${channel}' is not present in default channel group '${group}'`);
  }
}

/** The limit on groups is reached. */
export class TooManyDefaultChannelGroups extends ApiError {
  constructor(limit: number) {
    super(`There can be at most ${limit} default channel groups.`);
  }
}

/** The group would exceed the limit on channels. */
export class TooManyChannelsInGroup extends ApiError {
  constructor(limit: number) {
    super(`A default channel group can have at most ${limit} channels.`);
  }
}
