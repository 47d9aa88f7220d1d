import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import type { DefaultChannelGroupWire } from './default-channel-groups.wire';

/** All default channel groups that the receiver may see, after one of them changed. */
/** The default channel groups, all that there are. */
const groupsReplaced = defineEvent<{ default_stream_groups: readonly DefaultChannelGroupWire[] }>(
  'default_stream_groups',
);

/** The default channel groups changed, or those that the receiver may see: all that there are now. */
export function defaultChannelGroupsReplaced(groups: readonly DefaultChannelGroupWire[]): ServerEvent {
  return groupsReplaced({ default_stream_groups: groups });
}
