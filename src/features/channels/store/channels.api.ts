import {
  type ByChannelGroupSetting,
  CHANNEL_GROUP_SETTING_NAMES,
  type ChannelGroupSetting,
} from './channel-group-settings';
import { type ChannelOptions, TOPICS_POLICIES, type TopicsPolicy } from './channel-settings.service';
import { ApiError, refusal } from '../../../platform/errors/api-error';
import { bareOrQuoted, integerOrWord } from '../../../platform/http/parameters/further-types';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { composedName, forbiddenPlace } from '../../../platform/names/visible-name';
import { MAX_DAYS } from '../../organization-settings/organization-settings.module';
import { groupSettingValue, type GroupSettingValue } from '../../user-groups/user-groups.module';

/**
 * The channel does not exist or is not visible. The text is the same for both, so that private channels stay secret.
 */
export class InvalidChannelId extends refusal('Invalid channel ID') {}

/** Like {@link InvalidChannelId}, for a channel looked up by name. */
export class InvalidChannelName extends ApiError {
  constructor(name: string) {
    super(`Invalid channel name '${name}'`);
  }
}

/** The name of a channel is empty or white space. */
class ChannelNameEmpty extends refusal("Channel name can't be empty.") {}

/** The name of a channel exceeds the maximum length. */
class ChannelNameTooLong extends ApiError {
  constructor(limit: number) {
    super(`Channel name too long (limit: ${limit} characters).`);
  }
}

/** The name of a channel contains a control character or another forbidden one. */
class ChannelNameCharacterInvalid extends ApiError {
  /** @param position of the first such character, from 1, in code points */
  constructor(position: number) {
    super(`Invalid character in channel name, at position ${position}.`);
  }
}

/** The caller sees the channel but may not change its settings. */
export class MayNotAdministerChannel extends refusal(
  'You do not have permission to administer this channel.',
) {}

/** The sender lacks `can_send_message_group`; for a bot, so does its owner. */
export class MayNotPostInChannel extends refusal('You do not have permission to post in this channel.') {}

/** The channel is archived, or the sender cannot access it. */
export class NotAuthorizedToSend extends ApiError {
  constructor(channelName: string) {
    super(`Not authorized to send to channel '${channelName}'`);
  }
}

/** The topic is new and the sender lacks `can_create_topic_group`. */
export class MayNotCreateTopics extends refusal(
  'You do not have permission to create topics in this channel.',
) {}

/** The channel's policy requires named topics. */
export class EmptyTopicRefused extends ApiError {
  /** @param displayName the organization's name for the empty topic */
  constructor(displayName: string) {
    super(`Sending messages to the ${displayName} is not allowed in this channel.`, {
      data: { empty_topic_display_name: displayName },
    });
  }
}

/** The channel's policy allows only the empty topic. */
export class NamedTopicRefused extends ApiError {
  /** @param displayName the organization's name for the empty topic */
  constructor(displayName: string) {
    super(`Only the ${displayName} topic is allowed in this channel.`, {
      data: { empty_topic_display_name: displayName },
    });
  }
}

/** The channel to unsubscribe from does not exist. */
export class ChannelDoesNotExist extends ApiError {
  constructor(name: string) {
    super(`Channel '${name}' does not exist`, { code: 'STREAM_DOES_NOT_EXIST', data: { stream: name } });
  }
}

/** The channel to subscribe to exists, but the caller cannot access it. */
export class ChannelInaccessible extends ApiError {
  constructor(name: string) {
    super(`Unable to access channel (${name}).`);
  }
}

/** The caller can access the channel but is not subscribed to it. */
export class NotSubscribed extends ApiError {
  constructor(channelId: number) {
    super(`Not subscribed to channel ID ${channelId}`);
  }
}

/** A principal is not an account of this organization. */
export class PrincipalUnknown extends refusal('No such user') {}

/** `message_retention_days` is neither a positive integer nor one of the allowed words. */
class BadRetention extends ApiError {
  constructor(value: unknown) {
    super(`Bad value for 'message_retention_days': ${String(value)}`, {
      code: 'REQUEST_VARIABLE_INVALID',
      data: { var_name: 'message_retention_days', bad_value: value },
    });
  }
}

/** No channel folder has this ID. */
export class InvalidChannelFolder extends refusal('Invalid channel folder ID') {}

/** New users are subscribed to default channels, so they must be able to access them. */
export class DefaultChannelCannotBePrivate extends refusal('A default channel cannot be private.') {}

/** The server or the organization does not offer web-public channels. */
export class WebPublicChannelsDisabled extends refusal('Web-public channels are not enabled.') {}

/** An impossible combination of privacy settings. */
export class InvalidPrivacy extends refusal('Invalid parameters') {}

/** Two mutually exclusive parameters. */
export class UnsupportedCombination extends ApiError {
  constructor(...parameters: string[]) {
    super(`Unsupported parameter combination: ${parameters.join(', ')}`, {
      data: { parameters: parameters.join(', ') },
    });
  }
}

/** A color must be `#` and three to six hexadecimal digits. */
export class InvalidColor extends ApiError {
  /** @param prefix the position of the value in a larger parameter; empty for a separate parameter */
  constructor(prefix = '') {
    super(`${prefix}color is not a valid hex color code`);
  }
}

/** Subscriptions have no personal setting of this name. */
export class UnknownSubscriptionProperty extends ApiError {
  constructor(property: string) {
    super(`Unknown subscription property: ${property}`);
  }
}

/** A boolean setting of a subscription got another value. */
export class PropertyNotBoolean extends ApiError {
  constructor(property: string) {
    super(`${property} is not a boolean`);
  }
}

/** `include_all_active` is for administrators. */
export class QueryNotAuthorized extends refusal('User not authorized for this query') {}

/** `PATCH /users/me/subscriptions` without any changes. */
export class NoSubscriptionsNamed extends refusal(
  'Nothing to do. Specify at least one of "add" or "delete".',
) {}

const optional = { optional: true } as const;

/** Identifies a channel by its ID in the path. */
export class ChannelPathDto {
  /** ID of the channel. */
  @PathParameter() stream_id!: number;
}

/** The permissions of a new channel. */
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

/** The options of a new channel, except its name. */
export class ChannelOptionsDto extends ChannelGroupSettingsDto {
  /** Whether the channel is visible only to its subscribers. */
  @Parameter(json.boolean(), { default: false }) invite_only!: boolean;
  /** Whether the channel can be read without an account. */
  @Parameter(json.boolean(), { default: false }) is_web_public!: boolean;
  /** Whether new users are subscribed. */
  @Parameter(json.boolean(), { default: false }) is_default_stream!: boolean;
  /** Whether subscribers can read messages from before they subscribed; by default, only in public channels. */
  @Parameter(json.nullable(json.boolean()), { ...optional, example: true }) history_public_to_subscribers?:
    boolean | null;
  /** Days until messages are deleted. */
  @Parameter(integerOrWord(['realm_default', 'unlimited']), { default: 'realm_default', example: 30 })
  message_retention_days!: number | string;
  /** Whether messages may, or must, have the empty topic. */
  @Parameter(bareOrQuoted(TOPICS_POLICIES), { default: 'inherit' }) topics_policy!: TopicsPolicy;
  /** ID of the channel's folder; null for none. */
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

/** The value for keeping messages forever. */
const UNLIMITED = -1;

/**
 * Parses `message_retention_days` of a channel.
 * @returns days, -1 for forever, null for the organization's default
 * @throws BadRetention
 */
export function parseRetention(value: number | string): number | null {
  if (value === 'realm_default') return null;
  if (value === 'unlimited') return UNLIMITED;
  if (typeof value === 'number' && value > 0 && value <= MAX_DAYS) return value;
  throw new BadRetention(value);
}

/** Maximum length of a channel's name, in code points. */
export const MAX_CHANNEL_NAME_LENGTH = 60;

/** Maximum length of a channel's description, in code points. */
export const MAX_CHANNEL_DESCRIPTION_LENGTH = 1024;

/**
 * Validates the name of a channel, whether new or existing.
 * @returns the name, trimmed and in NFC
 * @throws ChannelNameEmpty, ChannelNameTooLong, ChannelNameCharacterInvalid
 */
export function checkChannelName(given: string): string {
  const name = composedName(given);
  if (name === '') throw new ChannelNameEmpty();
  if ([...name].length > MAX_CHANNEL_NAME_LENGTH) throw new ChannelNameTooLong(MAX_CHANNEL_NAME_LENGTH);
  const position = forbiddenPlace(name);
  if (position > 0) throw new ChannelNameCharacterInvalid(position);
  return name;
}
