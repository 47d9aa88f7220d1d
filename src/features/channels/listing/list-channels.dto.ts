import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { ChannelSelection } from './list-channels.service';

/** Parameters of `GET /streams`. */
export class ListChannelsDto {
  /** Whether to list public channels. */
  @Parameter(json.boolean(), { default: true }) include_public!: boolean;
  /** Whether to list web-public channels. */
  @Parameter(json.boolean(), { default: false }) include_web_public!: boolean;
  /** Whether to list channels that one is subscribed to. */
  @Parameter(json.boolean(), { default: true }) include_subscribed!: boolean;
  /** Whether to leave out archived channels. */
  @Parameter(json.boolean(), { default: true }) exclude_archived!: boolean;
  /** Whether to list every channel that one may know of. */
  @Parameter(json.boolean(), { default: false }) include_all!: boolean;
  /** Whether to list the channels that new people are subscribed to. */
  @Parameter(json.boolean(), { default: false }) include_default!: boolean;
  /** For bots: whether to list channels that the owner is subscribed to. */
  @Parameter(json.boolean(), { default: false }) include_owner_subscribed!: boolean;
  /** Whether to list channels that one may read. */
  @Parameter(json.boolean(), { default: false }) include_can_access_content!: boolean;
  /** Whether to list every channel that is not archived; for administrators. */
  @Parameter(json.boolean(), { default: false }) include_all_active!: boolean;
}

/** Which channels the parameters ask for. */
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
  /** Name of the channel, in any case. */
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
