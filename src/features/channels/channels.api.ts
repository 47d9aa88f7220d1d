import { bareOrQuoted, integerOrWord } from '../../platform/http/parameters/bare-or-quoted';
import { groupSettingValue, type GroupSettingValue } from '../user-groups/user-groups.module';
import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import {
  CHANNEL_GROUP_SETTING_NAMES,
  type ByChannelGroupSetting,
  type ChannelGroupSetting,
} from './store/channel-group-settings';
import { TOPICS_POLICIES, type ChannelOptions, type TopicsPolicy } from './store/channel-options';
import { MAX_DAYS } from '../organization-settings/organization-settings.module';
import { BadRetention } from './store/channel-errors.api';

const optional = { optional: true } as const;

/** Names a channel by the digits in the path. */
export class ChannelPathDto {
  /** ID of the channel. */
  @PathParameter() stream_id!: number;
}

/** The permissions of a channel, as creating takes them. */
class ChannelGroupSettingsDto implements ByChannelGroupSetting<GroupSettingValue> {
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

/** Everything that is chosen for a channel when it is made, beside its name. */
export class ChannelOptionsDto extends ChannelGroupSettingsDto {
  /** Whether only subscribers know of the channel. */
  @Parameter(json.boolean(), { default: false }) invite_only!: boolean;
  /** Whether the channel can be read without an account. */
  @Parameter(json.boolean(), { default: false }) is_web_public!: boolean;
  /** Whether new people are subscribed. */
  @Parameter(json.boolean(), { default: false }) is_default_stream!: boolean;
  /** Whether subscribers read what was written before they came; without it, those of public channels do. */
  @Parameter(json.nullable(json.boolean()), { ...optional, example: true }) history_public_to_subscribers?:
    boolean | null;
  /** Days until messages are deleted. */
  @Parameter(integerOrWord(['realm_default', 'unlimited']), { default: 'realm_default', example: 30 })
  message_retention_days!: number | string;
  /** Whether messages may go without a topic, or have to. */
  @Parameter(bareOrQuoted(TOPICS_POLICIES), { default: 'inherit' }) topics_policy!: TopicsPolicy;
  /** ID of the folder that the channel is in; null for none. */
  @Parameter(json.nullable(json.integer()), { ...optional, example: 11 }) folder_id?: number | null;
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

/** Keeps messages for ever. */
const UNLIMITED = -1;

/**
 * Reads `message_retention_days` of a channel.
 * @returns days, -1 for ever, null to follow the organization
 * @throws BadRetention
 */
export function parseRetention(value: number | string): number | null {
  if (value === 'realm_default') return null;
  if (value === 'unlimited') return UNLIMITED;
  if (typeof value === 'number' && value > 0 && value <= MAX_DAYS) return value;
  throw new BadRetention(value);
}
