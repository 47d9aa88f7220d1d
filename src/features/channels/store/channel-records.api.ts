import type { ChannelGroupSetting } from './channel-group-settings';
import type { ChannelRecord } from './channel.directory';
import { defineEvent, type EmitOptions, type ServerEvent } from '../../../platform/events/server-event';
import type { RawJson } from '../../../platform/http/envelope.interceptor';
import type { GroupSettingValue } from '../../user-groups/user-groups.module';

const SECONDS_A_DAY = 86_400;

/** How many days a channel without messages counts as recently active. */
const ACTIVE_DAYS = 180;

/** The number of days over which traffic is averaged. */
export const TRAFFIC_DAYS = 28;

/** The age in days below which a channel has no traffic figure. */
const MINIMUM_AGE_DAYS = 7;

interface Ages {
  /** UNIX seconds. */
  readonly dateCreated: number;
  /** UNIX seconds; null without messages. */
  readonly lastMessageAt: number | null;
}

/** Whether a channel is new or had a message in the last 180 days. */
export function isRecentlyActive(channel: Ages, now: number): boolean {
  const latest = Math.max(channel.dateCreated, channel.lastMessageAt ?? 0);
  return now - latest < ACTIVE_DAYS * SECONDS_A_DAY;
}

/**
 * Messages per week, averaged over the last four weeks or over the age of a younger channel, and rounded to two
 * significant digits.
 * @param messages sent to the channel in the last {@link TRAFFIC_DAYS}
 * @returns null for a channel in its first week
 */
export function weeklyTraffic(messages: number, dateCreated: number, now: number): number | null {
  const age = Math.floor((now - dateCreated) / SECONDS_A_DAY);
  if (age < MINIMUM_AGE_DAYS) return null;
  const average = Math.floor((messages * 7) / Math.min(age, TRAFFIC_DAYS));
  return messages > 0 ? roundToTwoDigits(Math.max(average, 1)) : 0;
}

function roundToTwoDigits(count: number): number {
  const unit = 10 ** Math.max(String(count).length - 2, 0);
  return Math.round(count / unit) * unit;
}

/** Values of all permissions of a channel. */
export type ChannelSettingValues = Readonly<Record<ChannelGroupSetting, GroupSettingValue>>;

/** A channel as sent to clients. */
export interface ChannelWire extends ChannelSettingValues {
  readonly stream_id: number;
  readonly name: string;
  readonly is_archived: boolean;
  readonly description: string;
  readonly rendered_description: string;
  readonly date_created: number;
  readonly creator_id: number | null;
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly stream_post_policy: number;
  readonly is_announcement_only: boolean;
  readonly message_retention_days: number | null;
  readonly history_public_to_subscribers: boolean;
  readonly topics_policy: string;
  readonly first_message_id: number | null;
  readonly folder_id: number | null;
  readonly is_recently_active: boolean;
  readonly subscriber_count: number;
  readonly stream_weekly_traffic: number | null;
}

/** A channel in a list. */
export interface ListedChannelWire extends ChannelWire {
  /** Whether new users are subscribed to it; set if the request asked for default channels. */
  readonly is_default?: boolean;
}

/** The parts of a channel's record that do not come from its own row. */
interface ChannelFacts {
  readonly settings: ChannelSettingValues;
  readonly postPolicy: PostPolicy;
  readonly subscriberCount: number;
  readonly weeklyTraffic: number | null;
  /** UNIX seconds. */
  readonly now: number;
}

/** The legacy approximation of `can_send_message_group`. */
export const PostPolicy = { everyone: 1, administrators: 2, fullMembers: 3, moderators: 4 } as const;

export type PostPolicy = (typeof PostPolicy)[keyof typeof PostPolicy];

/** The record of a channel. */
export function channelWire(channel: ChannelRecord, facts: ChannelFacts): ChannelWire {
  return {
    stream_id: channel.id,
    name: channel.name,
    is_archived: channel.isArchived,
    description: channel.description,
    rendered_description: channel.renderedDescription,
    date_created: channel.dateCreated,
    creator_id: channel.creatorId,
    invite_only: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    stream_post_policy: facts.postPolicy,
    is_announcement_only: facts.postPolicy === PostPolicy.administrators,
    message_retention_days: channel.messageRetentionDays,
    history_public_to_subscribers: channel.isHistoryPublicToSubscribers,
    topics_policy: channel.topicsPolicy,
    first_message_id: channel.firstMessageId,
    folder_id: channel.folderId,
    is_recently_active: isRecentlyActive(channel, facts.now),
    subscriber_count: facts.subscriberCount,
    stream_weekly_traffic: facts.weeklyTraffic,
    ...facts.settings,
  };
}

/** Columns of a subscription that clients receive; booleans may be read as 0 and 1. */
export interface SubscriptionRow {
  readonly channel_id: number;
  readonly color: string;
  readonly is_muted: unknown;
  readonly is_pinned: unknown;
  readonly desktop_notifications: unknown;
  readonly audible_notifications: unknown;
  readonly push_notifications: unknown;
  readonly email_notifications: unknown;
  readonly wildcard_mentions_notify: unknown;
}

/** The personal part of a subscription; null means that the account's own notification setting applies. */
export interface PersonalSettingsWire {
  readonly color: string;
  readonly is_muted: boolean;
  readonly in_home_view: boolean;
  readonly pin_to_top: boolean;
  readonly desktop_notifications: boolean | null;
  readonly audible_notifications: boolean | null;
  readonly push_notifications: boolean | null;
  readonly email_notifications: boolean | null;
  readonly wildcard_mentions_notify: boolean | null;
}

/** The subscribers of a channel, as requested: all, or some if there are many. */
export interface SubscribersWire {
  readonly subscribers?: readonly number[];
  readonly partial_subscribers?: readonly number[];
}

/** A channel as sent to its subscriber. */
export type SubscriptionWire = ChannelWire & PersonalSettingsWire & SubscribersWire;

/** The personal part of a subscription: color, pin, mute and notifications. */
export function personalSettingsWire(row: SubscriptionRow): PersonalSettingsWire {
  const isMuted = Boolean(row.is_muted);
  return {
    color: row.color,
    is_muted: isMuted,
    in_home_view: !isMuted,
    pin_to_top: Boolean(row.is_pinned),
    desktop_notifications: booleanOrNull(row.desktop_notifications),
    audible_notifications: booleanOrNull(row.audible_notifications),
    push_notifications: booleanOrNull(row.push_notifications),
    email_notifications: booleanOrNull(row.email_notifications),
    wildcard_mentions_notify: booleanOrNull(row.wildcard_mentions_notify),
  };
}

function booleanOrNull(value: unknown): boolean | null {
  return value === null ? null : Boolean(value);
}

/** The response of `GET /streams`. */
export function channelsAnswer(channels: RawJson<ListedChannelWire[]>) {
  return { streams: channels };
}

/** The response of `GET /streams/{stream_id}`. */
export function channelAnswer(channel: ChannelWire): { stream: ChannelWire } {
  return { stream: channel };
}

/** The response of `GET /get_stream_id`. */
export function channelIdAnswer(channelId: number): { stream_id: number } {
  return { stream_id: channelId };
}

/** The capability of clients that show archived channels; others must not receive any. */
export const ARCHIVED_CHANNELS = 'archived_channels';

/** For events about archived channels. */
export const FOR_ARCHIVED_CHANNELS: EmitOptions = { requires: ARCHIVED_CHANNELS };

/** Channels became visible: they were created, or the recipient gained access. */
const created = defineEvent<{ streams: readonly ChannelWire[] }>('stream', 'create');
/** The facts about messages in a channel's row changed. */
const channelUpdated = defineEvent<{
  property: 'is_recently_active' | 'first_message_id';
  value: boolean | number | null;
  stream_id: number;
  name: string;
}>('stream', 'update');
/** Channels are no longer visible. */
const deleted = defineEvent<{ streams: readonly { stream_id: number }[]; stream_ids: readonly number[] }>(
  'stream',
  'delete',
);
/** The recipient was subscribed to channels. */
const added = defineEvent<{ subscriptions: readonly SubscriptionWire[] }>('subscription', 'add');
/** The recipient was unsubscribed from channels. */
const removed = defineEvent<{ subscriptions: readonly { name: string; stream_id: number }[] }>(
  'subscription',
  'remove',
);
/** Others were subscribed to channels that the recipient sees. */
const peersAdded = defineEvent<PeersPayload>('subscription', 'peer_add');
/** Others were unsubscribed from channels that the recipient sees. */
const peersRemoved = defineEvent<PeersPayload>('subscription', 'peer_remove');
/** A personal setting of one of the recipient's subscriptions changed. */
const updated = defineEvent<{ property: string; value: boolean | string; stream_id: number }>(
  'subscription',
  'update',
);
/** The default channels of new users changed; the list is complete. */
const defaultsReplaced = defineEvent<{ default_streams: readonly number[] }>('default_streams');

interface PeersPayload {
  stream_ids: readonly number[];
  user_ids: readonly number[];
}

/** Channels became visible, including new ones. */
export function channelsAppeared(channels: readonly ChannelWire[]): ServerEvent {
  return created({ streams: channels });
}

/** Channels are no longer visible. */
export function channelsDisappeared(channelIds: readonly number[]): ServerEvent {
  return deleted({ streams: channelIds.map((id) => ({ stream_id: id })), stream_ids: channelIds });
}

/** The recipient was subscribed. */
export function subscriptionsAdded(subscriptions: readonly SubscriptionWire[]): ServerEvent {
  return added({ subscriptions });
}

/** The recipient is no longer subscribed. */
export function subscriptionsRemoved(channels: readonly { id: number; name: string }[]): ServerEvent {
  return removed({ subscriptions: channels.map(({ id, name }) => ({ name, stream_id: id })) });
}

/** Others were subscribed to channels that the recipient sees. */
export function peersSubscribed(channelIds: readonly number[], userIds: readonly number[]): ServerEvent {
  return peersAdded({ stream_ids: channelIds, user_ids: userIds });
}

/** Others are no longer subscribed to channels that the recipient sees. */
export function peersUnsubscribed(channelIds: readonly number[], userIds: readonly number[]): ServerEvent {
  return peersRemoved({ stream_ids: channelIds, user_ids: userIds });
}

/** A personal setting of the recipient's subscription changed. */
export function subscriptionUpdated(
  channelId: number,
  property: string,
  value: boolean | string,
): ServerEvent {
  return updated({ property, value, stream_id: channelId });
}

/** All default channels of new users. */
export function defaultChannelsReplaced(channelIds: readonly number[]): ServerEvent {
  return defaultsReplaced({ default_streams: channelIds });
}

/** A channel became active after a long silence, or inactive. */
export function channelActivityChanged(
  channel: Pick<ChannelRecord, 'id' | 'name'>,
  isRecentlyActive: boolean,
): ServerEvent {
  const names = { stream_id: channel.id, name: channel.name };
  return channelUpdated({ property: 'is_recently_active', value: isRecentlyActive, ...names });
}

/** The oldest message of a channel was deleted, or an older one was moved there. */
export function channelFirstMessageChanged(
  channel: Pick<ChannelRecord, 'id' | 'name'>,
  firstMessageId: number | null,
): ServerEvent {
  const names = { stream_id: channel.id, name: channel.name };
  return channelUpdated({ property: 'first_message_id', value: firstMessageId, ...names });
}
