import type { ChannelRecord } from '../channels';
import type { StoredGroup } from './default-channel-group-rows';

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
