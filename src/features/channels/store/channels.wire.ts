import type { RawJson } from '../../../platform/http/success-envelope';
import type { GroupSettingValue } from '../../user-groups';
import type { ChannelRecord } from './channel.directory';
import type { ChannelGroupSetting } from './channel-group-settings';
import { isRecentlyActive } from './activity';

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
export interface ChannelFacts {
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
