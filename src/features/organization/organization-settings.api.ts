import {
  type AvatarSource,
  type ByOrganizationGroupSetting,
  type EditHistoryVisibility,
  MAX_DAYS,
  MAX_WELCOME_TEXT_LENGTH,
  ORGANIZATION_GROUP_SETTING_NAMES,
  type OrganizationGroupSetting,
  type OrganizationSettings,
  type OrganizationSettingsWire,
  type OrganizationTopicsPolicy,
  wireNameOf,
} from '../organization-settings/organization-settings.module';
import {
  groupSettingChange,
  type GroupSettingChange,
  type GroupSettingValue,
} from '../user-groups/user-groups.module';
import { bareOrQuoted, integerOrWord } from '../../platform/http/parameters/further-types';
import { ParameterProblem } from '../../platform/errors/request.errors';
import { json } from '../../platform/http/parameters/json';
import { defineJsonType } from '../../platform/http/parameters/json-type';
import { Parameter } from '../../platform/http/parameters/parameter.decorator';
import { oneOf, text, visibleName } from '../../platform/http/parameters/text';
import { ORGANIZATION_TYPES, UNAVAILABLE_SETTINGS, type UnavailableSetting } from './setting-choices';
import { ApiError, refusal } from '../../platform/errors/api-error';

/** A limit on the wire: a number, or a word. */
export type LimitText = number | string;

export type LimitSetting = keyof OrganizationSettings & `${string}_limit_seconds`;

/** The requested changes: settings by their internal names, and group settings as `{new, old}`. */
export interface OrganizationChanges {
  readonly settings: Partial<OrganizationSettings>;
  readonly groupSettings: Partial<Record<OrganizationGroupSetting, GroupSettingChange>>;
  readonly authenticationMethods?: Readonly<Record<string, boolean>>;
  /** Days, or `unlimited`. */
  readonly retention?: LimitText;
  /** Seconds, or `unlimited`. */
  readonly limits: Partial<Record<LimitSetting, LimitText>>;
  readonly unavailable: Partial<Record<UnavailableSetting, unknown>>;
  /** Whether the request contains a new URL for the organization. */
  readonly isMoving: boolean;
}

/** Words that the response contains as their former numbers. */
const NUMBERS = {
  message_edit_history_visibility_policy: { all: 1, moves: 2, none: 3 },
  topics_policy: { allow_empty_topic: 2, disable_empty_topic: 3 },
} as const satisfies {
  readonly [Name in keyof OrganizationSettings]?: Record<OrganizationSettings[Name] & string, number>;
};

type Numbered = keyof typeof NUMBERS;

/** The response does not repeat texts: it only contains that they changed. */
type Answered<Name, Value> = Name extends Numbered ? number : Value extends string ? 'updated' : Value;

type NotTold = 'mandatory_topics' | 'allow_edit_history' | 'giphy_rating';

/** The response of `PATCH /realm`: what changed. */
export type UpdatedSettingsWire = {
  readonly [Name in Exclude<keyof OrganizationSettingsWire, NotTold>]?: Answered<
    Name,
    OrganizationSettingsWire[Name]
  >;
} & { readonly [Name in OrganizationGroupSetting]?: GroupSettingValue } & {
  readonly authentication_methods?: Readonly<Record<string, boolean>>;
};

/** A setting in the response. */
export function updatedSettingWire(setting: keyof OrganizationSettings, value: unknown): UpdatedSettingsWire {
  return { [wireNameOf(setting)]: answered(setting, value) };
}

/** Whether the response contains the setting even if it did not change. */
export function isAlwaysAnswered(setting: keyof OrganizationSettings): boolean {
  return setting in NUMBERS || setting === 'organization_type';
}

function answered(setting: keyof OrganizationSettings, value: unknown): unknown {
  if (isNumbered(setting)) return (NUMBERS[setting] as Readonly<Record<string, number>>)[value as string];
  return typeof value === 'string' ? 'updated' : value;
}

function isNumbered(setting: keyof OrganizationSettings): setting is Numbered {
  return setting in NUMBERS;
}

const optional = { optional: true } as const;

/** The ID of a channel, or -1. */
const channelOrNone = { optional: true, checked: { minimum: -1 } } as const;

const limit = () => integerOrWord(['unlimited']);

const MAX_SERVER_URL_LENGTH = 200;

/** The URL of a server that clients open, or `default`, stored as null. */
const serverUrl = () => {
  const plain = json.text();
  return defineJsonType(undefined, {
    jsonSchema: { type: 'string', maxLength: MAX_SERVER_URL_LENGTH },
    check(value, at): string | null {
      const url = plain.check(value, at);
      if (url === 'default') return null;
      const isAddress = url.length <= MAX_SERVER_URL_LENGTH && /^https?:\/\/[^\s\p{C}"<>\\]+$/iu.test(url);
      if (isAddress && URL.canParse(url)) return url;
      throw new ParameterProblem(`${at} is not an allowed_type`);
    },
  });
};

/** Changes to the organization settings that name a group; each as `{new, old}`. */
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

/** Parameters for unsupported features: only the current value is accepted. */
class UnavailableSettingsDto
  extends OrganizationGroupSettingsDto
  implements Partial<Record<UnavailableSetting, unknown>>
{
  /** Whether people need an invitation to join; only true is accepted. */
  @Parameter(json.boolean(), optional) invite_required?: boolean;
  /** Whether people receive digest emails; only false is accepted. */
  @Parameter(json.boolean(), optional) digest_emails_enabled?: boolean;
  /** Day of digest emails, starting with 0 for Monday; only 1 is accepted. */
  @Parameter(json.oneOf([0, 1, 2, 3, 4, 5, 6]), optional) digest_weekday?: number;
  /** Whether new people receive introductory emails; only false is accepted. */
  @Parameter(json.boolean(), optional) send_welcome_emails?: boolean;
  /** Whether linked websites are previewed; only false is accepted. */
  @Parameter(json.boolean(), optional) inline_url_embed_preview?: boolean;
  /** Whether the organization is listed publicly; only false is accepted. */
  @Parameter(json.boolean(), optional) want_advertise_in_communities_directory?: boolean;
  /** New URL of a demo organization; refused, because there are none. */
  @Parameter(text({ maxLength: 40 }), optional) string_id?: string;
}

/** Parameters of `PATCH /realm`; all are optional, and omitted ones do not change. */
export class UpdateOrganizationDto extends UnavailableSettingsDto {
  /** Name of the organization. */
  @Parameter(visibleName({ maxLength: 40, notBlank: true }), optional) name?: string;
  /** Description of the organization, in Markdown. */
  @Parameter(text({ maxLength: 1000 }), optional) description?: string;
  /**
   * Kind of organization: 0 unspecified, 10 business, 20 open source, 30 or 35 education, 40 research, 50 event,
   * 60 non-profit, 70 government, 80 political group, 90 community, 100 personal, 1000 other.
   */
  @Parameter(json.oneOf(ORGANIZATION_TYPES), optional) org_type?: number;
  /** Sign-in methods by name, and whether they are enabled. */
  @Parameter(json.record(json.boolean()), { ...optional, example: { Email: true } })
  authentication_methods?: Record<string, boolean>;
  /** Whether web-public channels can be read without an account. */
  @Parameter(json.boolean(), optional) enable_spectator_access?: boolean;
  /** Whether channel messages may have the empty topic, unless the channel has its own policy. */
  @Parameter(bareOrQuoted(['allow_empty_topic', 'disable_empty_topic']), {
    optional: true,
    aliases: ['realm_topics_policy'],
  })
  topics_policy?: OrganizationTopicsPolicy;
  /** Display name of the empty topic for clients that do not support it. */
  @Parameter(text({ trim: true, maxLength: 60, notBlank: true }), {
    optional: true,
    aliases: ['realm_empty_topic_display_name'],
  })
  empty_topic_display_name?: string;
  /** Days until messages are deleted, unless the channel has its own retention. */
  @Parameter(integerOrWord(['unlimited']), { ...optional, example: 30 }) message_retention_days?:
    number | string;
  /** Days until a new member counts as a full member. */
  @Parameter(json.integer({ min: 0, max: MAX_DAYS }), optional) waiting_period_threshold?: number;
  /** Channel for announcing new channels; -1 for none. */
  @Parameter(json.integer(), channelOrNone) new_stream_announcements_stream_id?: number;
  /** Channel for announcing new people; -1 for none. */
  @Parameter(json.integer(), channelOrNone) signup_announcements_stream_id?: number;
  /** Channel for announcing new versions of the server; -1 for none. */
  @Parameter(json.integer(), channelOrNone) zulip_update_announcements_stream_id?: number;
  /** Private channel for reports of messages; -1 disables reports. */
  @Parameter(json.integer(), channelOrNone) moderation_request_channel_id?: number;
  /** Whether a channel gets a notice when it is created, renamed or archived. */
  @Parameter(json.boolean(), optional) send_channel_events_messages?: boolean;
  /** Whether names must be unique. */
  @Parameter(json.boolean(), optional) require_unique_names?: boolean;
  /** Whether only administrators may change names. */
  @Parameter(json.boolean(), optional) name_changes_disabled?: boolean;
  /** Whether only administrators may change email addresses. */
  @Parameter(json.boolean(), optional) email_changes_disabled?: boolean;
  /** Whether only administrators may change avatars. */
  @Parameter(json.boolean(), optional) avatar_changes_disabled?: boolean;
  /** Default avatars of new accounts: `G` for Gravatar, `J` for Jdenticons generated by this server. */
  @Parameter(bareOrQuoted(['G', 'J']), optional) default_avatar_source?: AvatarSource;
  /** Whether new addresses must belong to the organization's domains. */
  @Parameter(json.boolean(), optional) emails_restricted_to_domains?: boolean;
  /** Whether addresses at disposable email services are refused, if domains are not restricted. */
  @Parameter(json.boolean(), optional) disallow_disposable_email_addresses?: boolean;
  /** Whether messages can be edited. */
  @Parameter(json.boolean(), optional) allow_message_editing?: boolean;
  /** Seconds within which people may edit their messages. */
  @Parameter(limit(), { ...optional, example: 600 }) message_content_edit_limit_seconds?: LimitText;
  /** Seconds within which people may delete their messages. */
  @Parameter(limit(), { ...optional, example: 600 }) message_content_delete_limit_seconds?: LimitText;
  /** Seconds within which messages may be moved to other topics. */
  @Parameter(limit(), { ...optional, example: 86400 }) move_messages_within_stream_limit_seconds?: LimitText;
  /** Seconds within which messages may be moved to other channels. */
  @Parameter(limit(), { ...optional, example: 86400 })
  move_messages_between_streams_limit_seconds?: LimitText;
  /** Which earlier versions of messages are visible. */
  @Parameter(oneOf(['all', 'moves', 'none']), optional)
  message_edit_history_visibility_policy?: EditHistoryVisibility;
  /** Whether people may see who has read a message. */
  @Parameter(json.boolean(), optional) enable_read_receipts?: boolean;
  /** Whether to disable presence for everyone. */
  @Parameter(json.boolean(), optional) presence_disabled?: boolean;
  /** Language code for notices, and for people who chose none. */
  @Parameter(text({ maxLength: 50 }), optional) default_language?: string;
  /** Whether messages show linked images. */
  @Parameter(json.boolean(), optional) inline_image_preview?: boolean;
  /** Default language of code blocks. */
  @Parameter(text({ maxLength: 40 }), optional) default_code_block_language?: string;
  /** Size of images in messages, as a percentage: 100, 150 or 200. */
  @Parameter(json.integer(), { ...optional, checked: { enum: [100, 150, 200] } }) media_preview_size?: number;
  /** Whether clients may only receive encrypted notifications. */
  @Parameter(json.boolean(), optional) require_e2ee_push_notifications?: boolean;
  /** Whether email may contain message texts. */
  @Parameter(json.boolean(), optional) message_content_allowed_in_email_notifications?: boolean;
  /** Whether clients mark guests after their names. */
  @Parameter(json.boolean(), optional) enable_guest_user_indicator?: boolean;
  /** Whether clients warn people who write to guests. */
  @Parameter(json.boolean(), optional) enable_guest_user_dm_warning?: boolean;
  /** Video call provider that clients use: 0 none, 1 Jitsi Meet. */
  @Parameter(json.integer(), { ...optional, checked: { enum: [0, 1] } }) video_chat_provider?: number;
  /** URL of the Jitsi server for calls; `default` for this server's default. */
  @Parameter(serverUrl(), { ...optional, example: 'https://meet.example.com' }) jitsi_server_url?:
    string | null;
  /** Maximum rating of GIFs that clients offer: 0 none, 1 Y, 2 G, 3 PG, 4 PG-13, 5 R. */
  @Parameter(json.integer(), { ...optional, checked: { enum: [0, 1, 2, 3, 4, 5] } })
  gif_rating_policy?: number;
  /** Welcome text of the welcome bot for people who join, in Markdown; empty for none. */
  @Parameter(text({ maxLength: MAX_WELCOME_TEXT_LENGTH }), optional) welcome_message_custom_text?: string;
}

/** The parameters as changes under their internal names. @throws BadSettingValue */
export function toChanges(dto: UpdateOrganizationDto): OrganizationChanges {
  const groupSettings: Partial<Record<OrganizationGroupSetting, GroupSettingChange>> = {};
  for (const setting of ORGANIZATION_GROUP_SETTING_NAMES) {
    if (dto[setting] !== undefined) groupSettings[setting] = dto[setting];
  }
  return {
    groupSettings,
    authenticationMethods: dto.authentication_methods,
    retention: dto.message_retention_days,
    limits: {
      message_content_edit_limit_seconds: dto.message_content_edit_limit_seconds,
      message_content_delete_limit_seconds: dto.message_content_delete_limit_seconds,
      move_messages_within_channel_limit_seconds: dto.move_messages_within_stream_limit_seconds,
      move_messages_between_channels_limit_seconds: dto.move_messages_between_streams_limit_seconds,
    },
    unavailable: Object.fromEntries(UNAVAILABLE_SETTINGS.map((name) => [name, dto[name]])),
    isMoving: dto.string_id !== undefined,
    settings: {
      name: dto.name,
      description: dto.description,
      organization_type: dto.org_type,
      enable_spectator_access: dto.enable_spectator_access,
      topics_policy: dto.topics_policy,
      empty_topic_display_name: dto.empty_topic_display_name,
      waiting_period_threshold: dto.waiting_period_threshold,
      new_channel_announcements_channel_id: channel(dto.new_stream_announcements_stream_id),
      signup_announcements_channel_id: channel(dto.signup_announcements_stream_id),
      update_announcements_channel_id: channel(dto.zulip_update_announcements_stream_id),
      moderation_request_channel_id: channel(dto.moderation_request_channel_id),
      send_channel_events_messages: dto.send_channel_events_messages,
      require_unique_names: dto.require_unique_names,
      name_changes_disabled: dto.name_changes_disabled,
      email_changes_disabled: dto.email_changes_disabled,
      avatar_changes_disabled: dto.avatar_changes_disabled,
      default_avatar_source: dto.default_avatar_source,
      emails_restricted_to_domains: dto.emails_restricted_to_domains,
      disallow_disposable_email_addresses: dto.disallow_disposable_email_addresses,
      allow_message_editing: dto.allow_message_editing,
      message_edit_history_visibility_policy: dto.message_edit_history_visibility_policy,
      enable_read_receipts: dto.enable_read_receipts,
      presence_disabled: dto.presence_disabled,
      default_language: dto.default_language,
      inline_image_preview: dto.inline_image_preview,
      default_code_block_language: dto.default_code_block_language,
      media_preview_size: mediaPreviewSize(dto.media_preview_size),
      require_e2ee_push_notifications: dto.require_e2ee_push_notifications,
      message_content_allowed_in_email_notifications: dto.message_content_allowed_in_email_notifications,
      enable_guest_user_indicator: dto.enable_guest_user_indicator,
      enable_guest_user_dm_warning: dto.enable_guest_user_dm_warning,
      video_chat_provider: dto.video_chat_provider,
      jitsi_server_url: dto.jitsi_server_url,
      gif_rating_policy: dto.gif_rating_policy,
      welcome_message_custom_text: dto.welcome_message_custom_text,
    },
  };
}

/** Any negative number means no channel. */
function channel(id: number | undefined): number | undefined {
  return id === undefined ? undefined : Math.max(id, -1);
}

/** The sizes that clients offer, as percentages. */
const MEDIA_PREVIEW_SIZES: readonly number[] = [100, 150, 200];

function mediaPreviewSize(value: number | undefined): number | undefined {
  if (value === undefined || MEDIA_PREVIEW_SIZES.includes(value)) return value;
  throw new BadSettingValue('media_preview_size', value);
}

/** A limit is neither a positive number nor one of the allowed words. */
export class BadSettingValue extends ApiError {
  constructor(name: string, value: unknown) {
    super(`Bad value for '${name}': ${String(value)}`, {
      code: 'REQUEST_VARIABLE_INVALID',
      data: { var_name: name, bad_value: value },
    });
  }
}

/** The server does not support the language. */
export class InvalidLanguage extends ApiError {
  constructor(code: string) {
    super(`Invalid language '${code}'`);
  }
}

/** The channel for reports to moderators must be private. */
export class ModerationChannelMustBePrivate extends refusal('Moderation request channel must be private.') {}

/** A number is not one of the choices. */
export class InvalidChoice extends ApiError {
  constructor(name: string, value: number) {
    super(`Invalid ${name} ${value}`);
  }
}

/** The server does not support this sign-in method. */
export class InvalidAuthenticationMethod extends ApiError {
  constructor(name: string, known: readonly string[]) {
    const listed = known.map((each) => `'${each}'`).join(', ');
    super(`Invalid authentication method: ${name}. Valid methods are: [${listed}]`);
  }
}

/** Nobody could sign in. */
export class NoAuthenticationMethod extends refusal('At least one authentication method must be enabled.') {}

/** The URL of the organization is that of the server. */
export class MustBeDemoOrganization extends refusal('Must be a demo organization.') {}
