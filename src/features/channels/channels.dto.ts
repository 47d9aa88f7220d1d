import { bareOrQuoted, integerOrWord } from '../../platform/http/parameters/bare-or-quoted';
import {
  groupSettingValue,
  type GroupSettingValue,
} from '../../platform/http/parameters/group-setting-value';
import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { CHANNEL_GROUP_SETTING_NAMES, type ChannelGroupSetting } from './channel-group-settings';
import { TOPICS_POLICIES, type ChannelOptions, type TopicsPolicy } from './channel-options';
import type { ChannelSelection } from './list-channels.service';
import { parseRetention } from './rules/retention';

const optional = { optional: true } as const;

/** Names a channel by the digits in the path. */
export class ChannelPathDto {
  @PathParameter() stream_id!: number;
}

/** Parameters of `GET /streams` (spec, endpoint 5). */
export class ListChannelsDto {
  @Parameter(json.boolean(), { default: true }) include_public!: boolean;
  @Parameter(json.boolean(), { default: false }) include_web_public!: boolean;
  @Parameter(json.boolean(), { default: true }) include_subscribed!: boolean;
  @Parameter(json.boolean(), { default: true }) exclude_archived!: boolean;
  @Parameter(json.boolean(), { default: false }) include_all!: boolean;
  @Parameter(json.boolean(), { default: false }) include_default!: boolean;
  @Parameter(json.boolean(), { default: false }) include_owner_subscribed!: boolean;
  @Parameter(json.boolean(), { default: false }) include_can_access_content!: boolean;
  @Parameter(json.boolean(), { default: false }) include_all_active!: boolean;
}

export function toSelection(dto: ListChannelsDto): ChannelSelection {
  return {
    isPublic: dto.include_public,
    isWebPublic: dto.include_web_public,
    isSubscribed: dto.include_subscribed,
    isOwnerSubscribed: dto.include_owner_subscribed,
    isDefault: dto.include_default,
    hasContentAccess: dto.include_can_access_content,
    hasMetadataAccess: dto.include_all,
    isActive: dto.include_all_active,
    excludesArchived: dto.exclude_archived,
  };
}

/** Parameters of `GET /get_stream_id`. */
export class ChannelNameDto {
  @Parameter(text()) stream!: string;
}

/** Parameters of `GET /users/{user_id}/subscriptions/{stream_id}`. */
export class SubscriptionStatusDto {
  @PathParameter() user_id!: number;
  @PathParameter() stream_id!: number;
}

/** The permissions of a channel, as creating takes them. */
class ChannelGroupSettingsDto {
  @Parameter(groupSettingValue(), optional) can_add_subscribers_group?: GroupSettingValue;
  @Parameter(groupSettingValue(), optional) can_administer_channel_group?: GroupSettingValue;
  @Parameter(groupSettingValue(), optional) can_create_topic_group?: GroupSettingValue;
  @Parameter(groupSettingValue(), optional) can_delete_any_message_group?: GroupSettingValue;
  @Parameter(groupSettingValue(), optional) can_delete_own_message_group?: GroupSettingValue;
  @Parameter(groupSettingValue(), optional) can_move_messages_out_of_channel_group?: GroupSettingValue;
  @Parameter(groupSettingValue(), optional) can_move_messages_within_channel_group?: GroupSettingValue;
  @Parameter(groupSettingValue(), optional) can_remove_subscribers_group?: GroupSettingValue;
  @Parameter(groupSettingValue(), optional) can_resolve_topics_group?: GroupSettingValue;
  @Parameter(groupSettingValue(), optional) can_send_message_group?: GroupSettingValue;
  @Parameter(groupSettingValue(), optional) can_subscribe_group?: GroupSettingValue;
}

/** Everything that is chosen for a channel when it is made, beside its name (spec, endpoint 1). */
export class ChannelOptionsDto extends ChannelGroupSettingsDto {
  @Parameter(json.boolean(), { default: false }) invite_only!: boolean;
  @Parameter(json.boolean(), { default: false }) is_web_public!: boolean;
  @Parameter(json.boolean(), { default: false }) is_default_stream!: boolean;
  @Parameter(json.nullable(json.boolean()), optional) history_public_to_subscribers?: boolean | null;
  @Parameter(integerOrWord(['realm_default', 'unlimited']), { default: 'realm_default' })
  message_retention_days!: number | string;
  @Parameter(bareOrQuoted(TOPICS_POLICIES), { default: 'inherit' }) topics_policy!: TopicsPolicy;
  @Parameter(json.nullable(json.integer()), optional) folder_id?: number | null;
}

/** @throws BadRetention */
export function toChannelOptions(dto: ChannelOptionsDto): ChannelOptions {
  const groupSettings: Partial<Record<ChannelGroupSetting, GroupSettingValue>> = {};
  for (const setting of CHANNEL_GROUP_SETTING_NAMES) {
    if (dto[setting] !== undefined) groupSettings[setting] = dto[setting];
  }
  return {
    isPrivate: dto.invite_only,
    isWebPublic: dto.is_web_public,
    isDefault: dto.is_default_stream,
    isHistoryPublicToSubscribers: dto.history_public_to_subscribers,
    messageRetentionDays: parseRetention(dto.message_retention_days),
    topicsPolicy: dto.topics_policy,
    folderId: dto.folder_id ?? null,
    groupSettings,
  };
}
