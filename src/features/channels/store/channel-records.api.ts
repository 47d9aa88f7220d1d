import type { ChannelGroupSetting } from './channel-group-settings';
import type { ChannelRecord } from './channel.directory';
import { defineEvent, type EmitOptions, type ServerEvent } from '../../../platform/events/server-event';
import type { RawJson } from '../../../platform/http/envelope.interceptor';
import type { GroupSettingValue } from '../../user-groups/user-groups.module';

const SECONDS_A_DAY = 86_400;

/** How long a channel without messages counts as recently active. Days. */
const ACTIVE_DAYS = 180;

/** The stretch over which traffic is averaged. Days. */
export const TRAFFIC_DAYS = 28;

/** Below this age a channel has no traffic figure. Days. */
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
 * Messages a week, averaged over the last four weeks or over the channel's age where it is younger, and
 * rounded to two significant digits.
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

/** A channel as the interface shows it. */
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
  /** Whether newcomers are subscribed to it; there where default channels were asked for. */
  readonly is_default?: boolean;
}

/** What a channel's record shows beyond the channel's own row. */
interface ChannelFacts {
  readonly settings: ChannelSettingValues;
  readonly postPolicy: PostPolicy;
  readonly subscriberCount: number;
  readonly weeklyTraffic: number | null;
  /** UNIX seconds. */
  readonly now: number;
}

/** The older approximation of `can_send_message_group`. */
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

/** Columns of a subscription that the interface shows; booleans may read as 0 and 1. */
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

/** The personal part of a subscription; null leaves a notification setting to the account's own. */
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

/** Who is subscribed, as far as it was asked for: everybody, or some people where there are many. */
export interface SubscribersWire {
  readonly subscribers?: readonly number[];
  readonly partial_subscribers?: readonly number[];
}

/** A channel as its subscriber sees it. */
export type SubscriptionWire = ChannelWire & PersonalSettingsWire & SubscribersWire;

/** What a subscription says beside the channel: colour, pin, mute and notifications. */
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

/** The answer of `GET /streams`. */
export function channelsAnswer(channels: RawJson<ListedChannelWire[]>) {
  return { streams: channels };
}

/** The answer of `GET /streams/{stream_id}`. */
export function channelAnswer(channel: ChannelWire): { stream: ChannelWire } {
  return { stream: channel };
}

/** The answer of `GET /get_stream_id`. */
export function channelIdAnswer(channelId: number): { stream_id: number } {
  return { stream_id: channelId };
}

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
