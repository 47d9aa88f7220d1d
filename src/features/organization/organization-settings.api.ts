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

/** A limit as the wire writes it: a number, or a word. */
export type LimitText = number | string;

export type LimitSetting = keyof OrganizationSettings & `${string}_limit_seconds`;

/** What a request wants to change: settings by their names inside, and group settings as `{new, old}`. */
export interface OrganizationChanges {
  readonly settings: Partial<OrganizationSettings>;
  readonly groupSettings: Partial<Record<OrganizationGroupSetting, GroupSettingChange>>;
  readonly authenticationMethods?: Readonly<Record<string, boolean>>;
  /** Days, or `unlimited`. */
  readonly retention?: LimitText;
  /** Seconds, or `unlimited`. */
  readonly limits: Partial<Record<LimitSetting, LimitText>>;
  readonly unavailable: Partial<Record<UnavailableSetting, unknown>>;
  /** Whether the organization is to have another address. */
  readonly isMoving: boolean;
}

/** Words that are answered by the numbers which they once were. */
const NUMBERS = {
  message_edit_history_visibility_policy: { all: 1, moves: 2, none: 3 },
  topics_policy: { allow_empty_topic: 2, disable_empty_topic: 3 },
} as const satisfies {
  readonly [Name in keyof OrganizationSettings]?: Record<OrganizationSettings[Name] & string, number>;
};

type Numbered = keyof typeof NUMBERS;

/** Texts are not repeated: that they changed is all that is said. */
type Answered<Name, Value> = Name extends Numbered ? number : Value extends string ? 'updated' : Value;

type NotTold = 'mandatory_topics' | 'allow_edit_history' | 'giphy_rating';

/** The answer of `PATCH /realm`: what changed. */
export type UpdatedSettingsWire = {
  readonly [Name in Exclude<keyof OrganizationSettingsWire, NotTold>]?: Answered<
    Name,
    OrganizationSettingsWire[Name]
  >;
} & { readonly [Name in OrganizationGroupSetting]?: GroupSettingValue } & {
  readonly authentication_methods?: Readonly<Record<string, boolean>>;
};

/** A setting as the answer names it. */
export function updatedSettingWire(setting: keyof OrganizationSettings, value: unknown): UpdatedSettingsWire {
  return { [wireNameOf(setting)]: answered(setting, value) };
}

/** Whether the setting is answered even where the request left it as it was. */
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

/** The address of a server that clients open, or `default`, inside written as null. */
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

/** Parameters about what the server does not do: they take the value that they have, and no other. */
class UnavailableSettingsDto
  extends OrganizationGroupSettingsDto
  implements Partial<Record<UnavailableSetting, unknown>>
{
  /** Whether people need an invitation to join; true is the only value. */
  @Parameter(json.boolean(), optional) invite_required?: boolean;
  /** Whether people get e-mail about what they missed; false is the only value. */
  @Parameter(json.boolean(), optional) digest_emails_enabled?: boolean;
  /** Day of that e-mail, from 0 for Monday on; 1 is the only value. */
  @Parameter(json.oneOf([0, 1, 2, 3, 4, 5, 6]), optional) digest_weekday?: number;
  /** Whether new people are sent introductions; false is the only value. */
  @Parameter(json.boolean(), optional) send_welcome_emails?: boolean;
  /** Whether websites are previewed; false is the only value. */
  @Parameter(json.boolean(), optional) inline_url_embed_preview?: boolean;
  /** Whether the organization is listed for everybody; false is the only value. */
  @Parameter(json.boolean(), optional) want_advertise_in_communities_directory?: boolean;
  /** Another address of a demo organization; refused, as there are none. */
  @Parameter(text({ maxLength: 40 }), optional) string_id?: string;
}

/** Parameters of `PATCH /realm`: every one optional, only what is given changes. */
export class UpdateOrganizationDto extends UnavailableSettingsDto {
  /** Name of the organization. */
  @Parameter(visibleName({ maxLength: 40, notBlank: true }), optional) name?: string;
  /** What the organization is, in Markdown. */
  @Parameter(text({ maxLength: 1000 }), optional) description?: string;
  /**
   * Kind of organization: 0 unspecified, 10 business, 20 open source, 30 or 35 education, 40 research, 50 event,
   * 60 non-profit, 70 government, 80 political group, 90 community, 100 personal, 1000 other.
   */
  @Parameter(json.oneOf(ORGANIZATION_TYPES), optional) org_type?: number;
  /** Ways of signing in by name, and whether people may use them. */
  @Parameter(json.record(json.boolean()), { ...optional, example: { Email: true } })
  authentication_methods?: Record<string, boolean>;
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
  @Parameter(json.integer(), channelOrNone) new_stream_announcements_stream_id?: number;
  /** Channel in which new people are announced; -1 for none. */
  @Parameter(json.integer(), channelOrNone) signup_announcements_stream_id?: number;
  /** Channel in which it is announced that the server runs another version; -1 for none. */
  @Parameter(json.integer(), channelOrNone) zulip_update_announcements_stream_id?: number;
  /** Private channel to which reports of messages go; -1 where messages cannot be reported. */
  @Parameter(json.integer(), channelOrNone) moderation_request_channel_id?: number;
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
  /** Pictures of new accounts: `G` for those of Gravatar, `J` for Jdenticons that this server draws. */
  @Parameter(bareOrQuoted(['G', 'J']), optional) default_avatar_source?: AvatarSource;
  /** Whether new addresses must belong to the domains of the organization. */
  @Parameter(json.boolean(), optional) emails_restricted_to_domains?: boolean;
  /** Whether addresses that anybody can have for some minutes are refused, where domains are not restricted. */
  @Parameter(json.boolean(), optional) disallow_disposable_email_addresses?: boolean;
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
  /** Whether to disable presence for everyone. */
  @Parameter(json.boolean(), optional) presence_disabled?: boolean;
  /** Code of the language of notices, and of people who chose none. */
  @Parameter(text({ maxLength: 50 }), optional) default_language?: string;
  /** Whether pictures behind links are shown in messages. */
  @Parameter(json.boolean(), optional) inline_image_preview?: boolean;
  /** Language of code blocks that name none. */
  @Parameter(text({ maxLength: 40 }), optional) default_code_block_language?: string;
  /** How large clients show pictures in messages, in per cent: 100, 150 or 200. */
  @Parameter(json.integer(), { ...optional, checked: { enum: [100, 150, 200] } }) media_preview_size?: number;
  /** Whether clients may get encrypted notifications only. */
  @Parameter(json.boolean(), optional) require_e2ee_push_notifications?: boolean;
  /** Whether e-mail may show what messages say. */
  @Parameter(json.boolean(), optional) message_content_allowed_in_email_notifications?: boolean;
  /** Whether clients mark guests by a word behind their names. */
  @Parameter(json.boolean(), optional) enable_guest_user_indicator?: boolean;
  /** Whether clients warn people who write to guests. */
  @Parameter(json.boolean(), optional) enable_guest_user_dm_warning?: boolean;
  /** Kind of video calls that clients offer: 0 none, 1 Jitsi Meet. */
  @Parameter(json.integer(), { ...optional, checked: { enum: [0, 1] } }) video_chat_provider?: number;
  /** Address of the Jitsi server of calls; `default` for the one of this server. */
  @Parameter(serverUrl(), { ...optional, example: 'https://meet.example.com' }) jitsi_server_url?:
    string | null;
  /** Up to which rating clients show GIFs from a service: 0 none, 1 Y, 2 G, 3 PG, 4 PG-13, 5 R. */
  @Parameter(json.integer(), { ...optional, checked: { enum: [0, 1, 2, 3, 4, 5] } })
  gif_rating_policy?: number;
  /** What the welcome bot tells people who join, in Markdown; empty for nothing. */
  @Parameter(text({ maxLength: MAX_WELCOME_TEXT_LENGTH }), optional) welcome_message_custom_text?: string;
}

/** The parameters as changes under the names used inside. @throws BadSettingValue */
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

/** Any negative number means that there is no channel. */
function channel(id: number | undefined): number | undefined {
  return id === undefined ? undefined : Math.max(id, -1);
}

/** The sizes that clients offer, in per cent. */
const MEDIA_PREVIEW_SIZES: readonly number[] = [100, 150, 200];

function mediaPreviewSize(value: number | undefined): number | undefined {
  if (value === undefined || MEDIA_PREVIEW_SIZES.includes(value)) return value;
  throw new BadSettingValue('media_preview_size', value);
}

/** A limit is neither a positive number nor one of the words it may be. */
export class BadSettingValue extends ApiError {
  constructor(name: string, value: unknown) {
    super(`Bad value for '${name}': ${String(value)}`, {
      code: 'REQUEST_VARIABLE_INVALID',
      data: { var_name: name, bad_value: value },
    });
  }
}

/** The organization's language is none that the server knows. */
export class InvalidLanguage extends ApiError {
  constructor(code: string) {
    super(`Invalid language '${code}'`);
  }
}

/** What is reported to moderators is not for everybody. */
export class ModerationChannelMustBePrivate extends refusal('Moderation request channel must be private.') {}

/** A number stands for nothing that there is. */
export class InvalidChoice extends ApiError {
  constructor(name: string, value: number) {
    super(`Invalid ${name} ${value}`);
  }
}

/** The server does not have this way of signing in. */
export class InvalidAuthenticationMethod extends ApiError {
  constructor(name: string, known: readonly string[]) {
    const listed = known.map((each) => `'${each}'`).join(', ');
    super(`Invalid authentication method: ${name}. Valid methods are: [${listed}]`);
  }
}

/** No one could sign in. */
export class NoAuthenticationMethod extends refusal('At least one authentication method must be enabled.') {}

/** The address of the organization is that of the server. */
export class MustBeDemoOrganization extends refusal('Must be a demo organization.') {}
