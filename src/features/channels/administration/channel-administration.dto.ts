import { bareOrQuoted, integerOrWord } from '../../../platform/http/parameters/bare-or-quoted';
import {
  groupSettingChange,
  type GroupSettingChange,
} from '../../../platform/http/parameters/group-setting-value';
import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { ChannelChanges } from '../channel-changes';
import { CHANNEL_GROUP_SETTING_NAMES, type ChannelGroupSetting } from '../channel-group-settings';
import { TOPICS_POLICIES, type TopicsPolicy } from '../channel-options';
import { ChannelOptionsDto, ChannelPathDto, toChannelOptions } from '../channels.dto';
import type { NewChannelRequest } from '../creation/new-channel.service';
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../rules/channel-name';
import { parseRetention } from '../rules/retention';

const optional = { optional: true } as const;

/** Names are checked by the services, which have messages of their own for what they may not hold. */
const channelName = text({ unchecked: true });

const description = text({ maxLength: MAX_CHANNEL_DESCRIPTION_LENGTH });

/** Parameters of `PATCH /streams/{stream_id}` (messages reference 11.3); permissions as `{new, old}`. */
export class UpdateChannelDto extends ChannelPathDto {
  @Parameter(description, optional) description?: string;
  @Parameter(json.boolean(), optional) is_private?: boolean;
  @Parameter(json.boolean(), optional) is_default_stream?: boolean;
  @Parameter(json.boolean(), optional) history_public_to_subscribers?: boolean;
  @Parameter(json.boolean(), optional) is_web_public?: boolean;
  @Parameter(channelName, optional) new_name?: string;
  @Parameter(integerOrWord(['realm_default', 'unlimited']), optional) message_retention_days?:
    number | string;
  @Parameter(json.boolean(), optional) is_archived?: boolean;
  @Parameter(bareOrQuoted(TOPICS_POLICIES), optional) topics_policy?: TopicsPolicy;
  @Parameter(json.nullable(json.integer()), optional) folder_id?: number | null;
  @Parameter(groupSettingChange(), optional) can_add_subscribers_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_administer_channel_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_create_topic_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_delete_any_message_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_delete_own_message_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_move_messages_out_of_channel_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_move_messages_within_channel_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_remove_subscribers_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_resolve_topics_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_send_message_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_subscribe_group?: GroupSettingChange;
}

/** Only `false` acts on `is_archived`; archiving is an endpoint of its own. @throws BadRetention */
export function toChannelChanges(dto: UpdateChannelDto): ChannelChanges {
  const groupSettings: Partial<Record<ChannelGroupSetting, GroupSettingChange>> = {};
  for (const setting of CHANNEL_GROUP_SETTING_NAMES) {
    if (dto[setting] !== undefined) groupSettings[setting] = dto[setting];
  }
  return {
    name: dto.new_name,
    description: dto.description,
    isPrivate: dto.is_private,
    isWebPublic: dto.is_web_public,
    isHistoryPublicToSubscribers: dto.history_public_to_subscribers,
    isDefault: dto.is_default_stream,
    messageRetentionDays:
      dto.message_retention_days === undefined ? undefined : parseRetention(dto.message_retention_days),
    isArchived: dto.is_archived === false ? false : undefined,
    folderId: dto.folder_id,
    topicsPolicy: dto.topics_policy,
    groupSettings,
  };
}

/** Parameters of `GET /streams/{stream_id}/email_address` (spec, endpoint 7). */
export class ChannelEmailDto extends ChannelPathDto {
  @Parameter(json.integer({ min: 0 }), optional) sender_id?: number;
}

/** Parameters of `POST` and `DELETE /default_streams`. */
export class DefaultChannelDto {
  @Parameter(json.integer()) stream_id!: number;
}

/** Parameters of `POST /channels/create`. */
export class NewChannelDto extends ChannelOptionsDto {
  @Parameter(channelName) name!: string;
  @Parameter(description, { default: '' }) description!: string;
  @Parameter(json.array(json.integer())) subscribers!: number[];
  @Parameter(json.boolean(), { default: false }) announce!: boolean;
}

/** @throws BadRetention */
export function toNewChannel(dto: NewChannelDto): NewChannelRequest {
  return {
    channel: { name: dto.name, description: dto.description },
    options: toChannelOptions(dto),
    subscriberIds: dto.subscribers,
    announce: dto.announce,
  };
}
