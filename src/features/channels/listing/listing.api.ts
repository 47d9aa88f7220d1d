import type { RawJson } from '../../../platform/http/envelope.interceptor';
import {
  GROUP_PERMISSION_SETTINGS,
  ORGANIZATION_PERMISSION_SETTINGS,
  permissionSettingsWire,
} from '../../user-groups/user-groups.module';
import type { ChannelWire } from '../store/channel-records.api';
import {
  type ChannelFolderWire,
  MAX_FOLDER_DESCRIPTION_LENGTH,
  MAX_FOLDER_NAME_LENGTH,
} from '../folders/channel-folders.api';
import { CHANNEL_GROUP_SETTINGS } from '../store/channel-group-settings';
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from '../store/channels.api';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { ChannelSelection } from './list-channels.service';

/** What settings that name a group accept; here because no feature above channels has any. */
const PERMISSION_SETTINGS = {
  realm: ORGANIZATION_PERMISSION_SETTINGS,
  stream: permissionSettingsWire(CHANNEL_GROUP_SETTINGS, 'channel_creator'),
  group: GROUP_PERMISSION_SETTINGS,
};

/** The server's options for channels. */
interface ChannelOffer {
  /** Maximum number of new subscribers whom the notification bot notifies. */
  readonly maxNotifiedUsers: number;
  readonly isWebPublicOffered: boolean;
}

/** The length limits of names and descriptions, and the server's options for channels. */
export function channelLimitsState({ maxNotifiedUsers, isWebPublicOffered }: ChannelOffer) {
  return {
    max_stream_name_length: MAX_CHANNEL_NAME_LENGTH,
    max_stream_description_length: MAX_CHANNEL_DESCRIPTION_LENGTH,
    max_channel_folder_name_length: MAX_FOLDER_NAME_LENGTH,
    max_channel_folder_description_length: MAX_FOLDER_DESCRIPTION_LENGTH,
    max_bulk_new_subscription_messages: maxNotifiedUsers,
    server_web_public_streams_enabled: isWebPublicOffered,
    server_supported_permission_settings: PERMISSION_SETTINGS,
  };
}

/** A person's permissions regarding channels. */
interface ChannelPermissions {
  readonly createsPublic: boolean;
  readonly createsPrivate: boolean;
  readonly createsWebPublic: boolean;
  readonly subscribesOthers: boolean;
}

/** For clients that do not evaluate groups and settings themselves. */
export function channelPermissionsState(may: ChannelPermissions) {
  return {
    can_create_streams: may.createsPublic || may.createsPrivate || may.createsWebPublic,
    can_create_public_streams: may.createsPublic,
    can_create_private_streams: may.createsPrivate,
    can_create_web_public_streams: may.createsWebPublic,
    can_subscribe_other_users: may.subscribesOthers,
  };
}

/** `streams`: all channels that the client sees. */
export function channelsState(channels: RawJson<ChannelWire[]>) {
  return { streams: channels };
}

/** `realm_default_streams`: IDs of the default channels of new users. */
export function defaultChannelsState(channelIds: readonly number[]) {
  return { realm_default_streams: channelIds };
}

/** `channel_folders`: the folders that the client sees. */
export function channelFoldersState(folders: readonly ChannelFolderWire[]) {
  return { channel_folders: folders };
}

/** Parameters of `GET /streams`. */
export class ListChannelsDto {
  /** Whether to list public channels. */
  @Parameter(json.boolean(), { default: true }) include_public!: boolean;
  /** Whether to list web-public channels. */
  @Parameter(json.boolean(), { default: false }) include_web_public!: boolean;
  /** Whether to list channels that the caller is subscribed to. */
  @Parameter(json.boolean(), { default: true }) include_subscribed!: boolean;
  /** Whether to leave out archived channels. */
  @Parameter(json.boolean(), { default: true }) exclude_archived!: boolean;
  /** Whether to list every channel that the caller may know about. */
  @Parameter(json.boolean(), { default: false }) include_all!: boolean;
  /** Whether to list the default channels of new users. */
  @Parameter(json.boolean(), { default: false }) include_default!: boolean;
  /** For bots: whether to list channels that the owner is subscribed to. */
  @Parameter(json.boolean(), { default: false }) include_owner_subscribed!: boolean;
  /** Whether to list channels whose content the caller can access. */
  @Parameter(json.boolean(), { default: false }) include_can_access_content!: boolean;
  /** Whether to list every channel that is not archived; for administrators. */
  @Parameter(json.boolean(), { default: false }) include_all_active!: boolean;
}

/** The selection that the parameters describe. */
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
  /** Name of the channel, case-insensitive. */
  @Parameter(text()) stream!: string;
}

/** Parameters of `GET /users/{user_id}/subscriptions/{stream_id}`. */
export class SubscriptionStatusDto {
  /** ID of the account. */
  @PathParameter() user_id!: number;
  /** ID of the channel. */
  @PathParameter() stream_id!: number;
}

/** Parameters of `GET /users/{user_id}/channels`. */
export class UserChannelsDto {
  /** ID of the account. */
  @PathParameter() user_id!: number;
}
