import { bareOrQuoted, integerOrWord } from '../../../platform/http/parameters/bare-or-quoted';
import { groupSettingChange, type GroupSettingChange } from '../../user-groups';
import { idList } from '../../../platform/http/parameters/id-list';
import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { ChannelChanges } from './channel-changes';
import {
  CHANNEL_GROUP_SETTING_NAMES,
  type ByChannelGroupSetting,
  type ChannelGroupSetting,
} from '../store/channel-group-settings';
import { TOPICS_POLICIES, type TopicsPolicy } from '../store/channel-options';
import { ChannelOptionsDto, ChannelPathDto, toChannelOptions, parseRetention } from '../channels.dto';
import type { NewChannelRequest } from './new-channel.service';
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../store/channel-name';

const optional = { optional: true } as const;

/** The services check names, with error texts of their own for forbidden characters. */
const channelName = text({ unchecked: true });

const description = text({ maxLength: MAX_CHANNEL_DESCRIPTION_LENGTH });

/** Parameters of `PATCH /streams/{stream_id}`; permissions as `{new, old}`. */
export class UpdateChannelDto extends ChannelPathDto implements ByChannelGroupSetting<GroupSettingChange> {
  /** What the channel is for, in Markdown. */
  @Parameter(description, optional) description?: string;
  /** Whether only subscribers know of the channel. */
  @Parameter(json.boolean(), optional) is_private?: boolean;
  /** Whether new people are subscribed. */
  @Parameter(json.boolean(), optional) is_default_stream?: boolean;
  /** Whether subscribers read what was written before they came. */
  @Parameter(json.boolean(), optional) history_public_to_subscribers?: boolean;
  /** Whether the channel can be read without an account. */
  @Parameter(json.boolean(), optional) is_web_public?: boolean;
  /** Another name. */
  @Parameter(channelName, optional) new_name?: string;
  /** Days until messages are deleted. */
  @Parameter(integerOrWord(['realm_default', 'unlimited']), { ...optional, example: 30 })
  message_retention_days?: number | string;
  /** Only `false` does something: it brings an archived channel back. */
  @Parameter(json.boolean(), optional) is_archived?: boolean;
  /** Whether messages may go without a topic, or have to. */
  @Parameter(bareOrQuoted(TOPICS_POLICIES), optional) topics_policy?: TopicsPolicy;
  /** ID of the folder that the channel is in; null for none. */
  @Parameter(json.nullable(json.integer()), { ...optional, example: 11 }) folder_id?: number | null;
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

/** Parameters of `GET /streams/{stream_id}/email_address`. */
export class ChannelEmailDto extends ChannelPathDto {
  /**
   * ID of the account that is to post what arrives: oneself, a bot of one's own, or the gateway bot, as if left out.
   */
  @Parameter(json.integer({ min: 0 }), optional) sender_id?: number;
}

/** Parameters of `POST` and `DELETE /default_streams`. */
export class DefaultChannelDto {
  /** ID of the channel. */
  @Parameter(json.integer()) stream_id!: number;
}

/** Parameters of `POST /channels/create`. */
export class NewChannelDto extends ChannelOptionsDto {
  /** Name of the channel. */
  @Parameter(channelName) name!: string;
  /** What the channel is for, in Markdown. */
  @Parameter(description, { default: '' }) description!: string;
  /** IDs of the people to subscribe. */
  @Parameter(idList(), { example: [8, 9] }) subscribers!: number[];
  /** Whether the new channel is announced. */
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
