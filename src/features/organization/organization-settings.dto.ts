import { bareOrQuoted, integerOrWord } from '../../platform/http/parameters/bare-or-quoted';
import { groupSettingChange } from '../user-groups';
import { json } from '../../platform/http/parameters/json';
import { Parameter } from '../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../platform/http/parameters/text';
import { visibleName } from '../../platform/http/parameters/visible-name';
import {
  type ByOrganizationGroupSetting,
  type EditHistoryVisibility,
  MAX_DAYS,
  ORGANIZATION_GROUP_SETTING_NAMES,
  type OrganizationGroupSetting,
  type OrganizationTopicsPolicy,
} from '../organization-settings';
import type { GroupSettingChange } from '../user-groups';
import { BadSettingValue } from './organization-settings.errors';
import type { OrganizationChanges } from './organization-settings.service';

/** A limit in seconds as the wire writes it. */
type LimitText = number | string;

const optional = { optional: true } as const;

const limit = () => integerOrWord(['unlimited']);

/** Changes of the organization settings that name a group; each as `{new, old}`. */
class OrganizationGroupSettingsDto implements ByOrganizationGroupSetting<GroupSettingChange> {
  @Parameter(groupSettingChange(), optional) can_access_all_users_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_add_custom_emoji_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_add_subscribers_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_create_bots_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_create_groups?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_create_private_channel_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_create_public_channel_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_create_web_public_channel_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_create_write_only_bots_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_delete_any_message_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_delete_own_message_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_invite_users_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_manage_all_groups?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_manage_billing_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_mention_many_users_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_move_messages_between_channels_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_move_messages_between_topics_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_resolve_topics_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_set_delete_message_policy_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_set_topics_policy_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) can_summarize_topics_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) create_multiuse_invite_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) direct_message_initiator_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) direct_message_permission_group?: GroupSettingChange;
  @Parameter(groupSettingChange(), optional) workplace_users_group?: GroupSettingChange;
}

/** Parameters of `PATCH /realm`: every one optional, only what is given changes. */
export class UpdateOrganizationDto extends OrganizationGroupSettingsDto {
  /** Name of the organization. */
  @Parameter(visibleName({ maxLength: 40, notBlank: true }), optional) name?: string;
  /** What the organization is, in Markdown. */
  @Parameter(text({ maxLength: 1000 }), optional) description?: string;
  /** Whether web-public channels can be read without an account. */
  @Parameter(json.boolean(), optional) enable_spectator_access?: boolean;
  /** Whether messages in channels may go without a topic, where the channel does not decide. */
  @Parameter(bareOrQuoted(['allow_empty_topic', 'disable_empty_topic']), {
    optional: true,
    aliases: ['realm_topics_policy'],
  })
  topics_policy?: OrganizationTopicsPolicy;
  /** What the empty topic is called for clients that do not know it. */
  @Parameter(text({ trim: true, maxLength: 60, notBlank: true }), {
    optional: true,
    aliases: ['realm_empty_topic_display_name'],
  })
  empty_topic_display_name?: string;
  /** Days until messages are deleted, where the channel does not decide. */
  @Parameter(integerOrWord(['unlimited']), { ...optional, example: 30 }) message_retention_days?:
    number | string;
  /** Days until a new member counts as a full member. */
  @Parameter(json.integer({ min: 0, max: MAX_DAYS }), optional) waiting_period_threshold?: number;
  /** Channel in which new channels are announced; -1 for none. */
  @Parameter(json.integer({ min: -1 }), optional) new_stream_announcements_stream_id?: number;
  /** Channel in which new people are announced; -1 for none. */
  @Parameter(json.integer({ min: -1 }), optional) signup_announcements_stream_id?: number;
  /** Channel for news of the product; -1 for none. */
  @Parameter(json.integer({ min: -1 }), optional) zulip_update_announcements_stream_id?: number;
  /** Whether a channel gets a notice when it is made, renamed or archived. */
  @Parameter(json.boolean(), optional) send_channel_events_messages?: boolean;
  /** Whether no two people may have the same name. */
  @Parameter(json.boolean(), optional) require_unique_names?: boolean;
  /** Whether only administrators change names. */
  @Parameter(json.boolean(), optional) name_changes_disabled?: boolean;
  /** Whether only administrators change addresses. */
  @Parameter(json.boolean(), optional) email_changes_disabled?: boolean;
  /** Whether only administrators change pictures. */
  @Parameter(json.boolean(), optional) avatar_changes_disabled?: boolean;
  /** Whether messages can be edited. */
  @Parameter(json.boolean(), optional) allow_message_editing?: boolean;
  /** Seconds within which people edit what they wrote. */
  @Parameter(limit(), { ...optional, example: 600 }) message_content_edit_limit_seconds?: LimitText;
  /** Seconds within which people delete what they wrote. */
  @Parameter(limit(), { ...optional, example: 600 }) message_content_delete_limit_seconds?: LimitText;
  /** Seconds within which messages move to other topics. */
  @Parameter(limit(), { ...optional, example: 86400 }) move_messages_within_stream_limit_seconds?: LimitText;
  /** Seconds within which messages move to other channels. */
  @Parameter(limit(), { ...optional, example: 86400 })
  move_messages_between_streams_limit_seconds?: LimitText;
  /** What of earlier versions of messages is shown. */
  @Parameter(oneOf(['all', 'moves', 'none']), optional)
  message_edit_history_visibility_policy?: EditHistoryVisibility;
  /** Whether people see who has read a message. */
  @Parameter(json.boolean(), optional) enable_read_receipts?: boolean;
  /** Whether nobody sees who is there. */
  @Parameter(json.boolean(), optional) presence_disabled?: boolean;
  /** Code of the language of notices, and of people who chose none. */
  @Parameter(text({ maxLength: 50 }), optional) default_language?: string;
  /** Whether pictures behind links are shown in messages. */
  @Parameter(json.boolean(), optional) inline_image_preview?: boolean;
  /** Language of code blocks that name none. */
  @Parameter(text({ maxLength: 40 }), optional) default_code_block_language?: string;
  /** How large clients show pictures in messages, in per cent: 100, 150 or 200. */
  @Parameter(json.integer(), optional) media_preview_size?: number;
  /** Whether clients may get encrypted notifications only. */
  @Parameter(json.boolean(), optional) require_e2ee_push_notifications?: boolean;
}

/** Turns the parameters into changes under the names used inside. @throws BadSettingValue */
export function toChanges(dto: UpdateOrganizationDto): OrganizationChanges {
  const groupSettings: Partial<Record<OrganizationGroupSetting, GroupSettingChange>> = {};
  for (const setting of ORGANIZATION_GROUP_SETTING_NAMES) {
    if (dto[setting] !== undefined) groupSettings[setting] = dto[setting];
  }
  return {
    groupSettings,
    settings: {
      name: dto.name,
      description: dto.description,
      enable_spectator_access: dto.enable_spectator_access,
      topics_policy: dto.topics_policy,
      empty_topic_display_name: dto.empty_topic_display_name,
      message_retention_days: retention(dto.message_retention_days),
      waiting_period_threshold: dto.waiting_period_threshold,
      new_channel_announcements_channel_id: dto.new_stream_announcements_stream_id,
      signup_announcements_channel_id: dto.signup_announcements_stream_id,
      update_announcements_channel_id: dto.zulip_update_announcements_stream_id,
      send_channel_events_messages: dto.send_channel_events_messages,
      require_unique_names: dto.require_unique_names,
      name_changes_disabled: dto.name_changes_disabled,
      email_changes_disabled: dto.email_changes_disabled,
      avatar_changes_disabled: dto.avatar_changes_disabled,
      allow_message_editing: dto.allow_message_editing,
      message_content_edit_limit_seconds: seconds(
        'message_content_edit_limit_seconds',
        dto.message_content_edit_limit_seconds,
      ),
      message_content_delete_limit_seconds: seconds(
        'message_content_delete_limit_seconds',
        dto.message_content_delete_limit_seconds,
      ),
      move_messages_within_channel_limit_seconds: seconds(
        'move_messages_within_stream_limit_seconds',
        dto.move_messages_within_stream_limit_seconds,
      ),
      move_messages_between_channels_limit_seconds: seconds(
        'move_messages_between_streams_limit_seconds',
        dto.move_messages_between_streams_limit_seconds,
      ),
      message_edit_history_visibility_policy: dto.message_edit_history_visibility_policy,
      enable_read_receipts: dto.enable_read_receipts,
      presence_disabled: dto.presence_disabled,
      default_language: dto.default_language,
      inline_image_preview: dto.inline_image_preview,
      default_code_block_language: dto.default_code_block_language,
      media_preview_size: mediaPreviewSize(dto.media_preview_size),
      require_e2ee_push_notifications: dto.require_e2ee_push_notifications,
    },
  };
}

/** `unlimited` is no limit, inside written as null. */
function seconds(name: string, value: LimitText | undefined): number | null | undefined {
  if (value === undefined || (typeof value === 'number' && value > 0)) return value;
  if (value === 'unlimited') return null;
  throw new BadSettingValue(name, value);
}

/** The sizes that clients offer, in per cent. */
const MEDIA_PREVIEW_SIZES: readonly number[] = [100, 150, 200];

function mediaPreviewSize(value: number | undefined): number | undefined {
  if (value === undefined || MEDIA_PREVIEW_SIZES.includes(value)) return value;
  throw new BadSettingValue('media_preview_size', value);
}

/** Days as a positive number, or `unlimited`, inside written as -1. */
function retention(value: number | string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (value === 'unlimited') return -1;
  if (typeof value === 'number' && value > 0 && value <= MAX_DAYS) return value;
  throw new BadSettingValue('message_retention_days', value);
}
