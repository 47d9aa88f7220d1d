import { type EmitOptions, defineEvent, type ServerEvent } from '../../../platform/events/server-event';
import type { ChannelRecord } from './channel.directory';
import type { ChannelWire, SubscriptionWire } from './channels.wire';

/** Clients that declare this show archived channels; the others must not hear of any. */
export const ARCHIVED_CHANNELS = 'archived_channels';

/** For events about archived channels. */
export const FOR_ARCHIVED_CHANNELS: EmitOptions = { requires: ARCHIVED_CHANNELS };

/** Channels came into sight: they were made, or the receiver may know of them from now on. */
const created = defineEvent<{ streams: readonly ChannelWire[] }>('stream', 'create');
/** What the row of a channel says of its messages changed. */
const channelUpdated = defineEvent<{
  property: 'is_recently_active' | 'first_message_id';
  value: boolean | number | null;
  stream_id: number;
  name: string;
}>('stream', 'update');
/** Channels went out of sight. */
const deleted = defineEvent<{ streams: readonly { stream_id: number }[]; stream_ids: readonly number[] }>(
  'stream',
  'delete',
);
/** The receiver was subscribed to channels. */
const added = defineEvent<{ subscriptions: readonly SubscriptionWire[] }>('subscription', 'add');
/** The receiver was unsubscribed from channels. */
const removed = defineEvent<{ subscriptions: readonly { name: string; stream_id: number }[] }>(
  'subscription',
  'remove',
);
/** Others were subscribed to channels that the receiver sees. */
const peersAdded = defineEvent<PeersPayload>('subscription', 'peer_add');
/** Others were unsubscribed from such channels. */
const peersRemoved = defineEvent<PeersPayload>('subscription', 'peer_remove');
/** A personal setting of one of the receiver's subscriptions changed. */
const updated = defineEvent<{ property: string; value: boolean | string; stream_id: number }>(
  'subscription',
  'update',
);
/** New people are subscribed to other channels; the list is complete. */
const defaultsReplaced = defineEvent<{ default_streams: readonly number[] }>('default_streams');

interface PeersPayload {
  stream_ids: readonly number[];
  user_ids: readonly number[];
}

/** Channels came into sight, new ones included. */
export function channelsAppeared(channels: readonly ChannelWire[]): ServerEvent {
  return created({ streams: channels });
}

/** Channels went out of sight. */
export function channelsDisappeared(channelIds: readonly number[]): ServerEvent {
  return deleted({ streams: channelIds.map((id) => ({ stream_id: id })), stream_ids: channelIds });
}

/** The receiver was subscribed. */
export function subscriptionsAdded(subscriptions: readonly SubscriptionWire[]): ServerEvent {
  return added({ subscriptions });
}

/** The receiver is no longer subscribed. */
export function subscriptionsRemoved(channels: readonly { id: number; name: string }[]): ServerEvent {
  return removed({ subscriptions: channels.map(({ id, name }) => ({ name, stream_id: id })) });
}

/** Others were subscribed to channels that the receiver sees. */
export function peersSubscribed(channelIds: readonly number[], userIds: readonly number[]): ServerEvent {
  return peersAdded({ stream_ids: channelIds, user_ids: userIds });
}

/** Others are no longer subscribed to channels that the receiver sees. */
export function peersUnsubscribed(channelIds: readonly number[], userIds: readonly number[]): ServerEvent {
  return peersRemoved({ stream_ids: channelIds, user_ids: userIds });
}

/** A personal setting of the receiver's subscription changed. */
export function subscriptionUpdated(
  channelId: number,
  property: string,
  value: boolean | string,
): ServerEvent {
  return updated({ property, value, stream_id: channelId });
}

/** The channels that newcomers are subscribed to, all of them. */
export function defaultChannelsReplaced(channelIds: readonly number[]): ServerEvent {
  return defaultsReplaced({ default_streams: channelIds });
}

/** A channel came to life again after a long silence, or fell silent. */
export function channelActivityChanged(
  channel: Pick<ChannelRecord, 'id' | 'name'>,
  isRecentlyActive: boolean,
): ServerEvent {
  const names = { stream_id: channel.id, name: channel.name };
  return channelUpdated({ property: 'is_recently_active', value: isRecentlyActive, ...names });
}

/** The oldest message of a channel went, or an older one came. */
export function channelFirstMessageChanged(
  channel: Pick<ChannelRecord, 'id' | 'name'>,
  firstMessageId: number | null,
): ServerEvent {
  const names = { stream_id: channel.id, name: channel.name };
  return channelUpdated({ property: 'first_message_id', value: firstMessageId, ...names });
}
