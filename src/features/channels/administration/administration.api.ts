import { bareOrQuoted, idList, integerOrWord } from '../../../platform/http/parameters/further-types';
import {
  groupSettingChange,
  type GroupSettingChange,
  type GroupSettingValue,
} from '../../user-groups/user-groups.module';
import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import {
  type ChannelChanges,
  type ChannelOptions,
  type ChannelState,
  hasOtherPrivacy,
  TOPICS_POLICIES,
  type TopicsPolicy,
} from '../store/channel-settings.service';
import {
  type ByChannelGroupSetting,
  CHANNEL_GROUP_SETTING_NAMES,
  type ChannelGroupSetting,
} from '../store/channel-group-settings';
import {
  ChannelOptionsDto,
  ChannelPathDto,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
  parseRetention,
  toChannelOptions,
} from '../store/channels.api';
import { defineEvent, type ServerEvent } from '../../../platform/events/server-event';
import type { ChannelRecord } from '../store/channel.directory';
import { PostPolicy } from '../store/channel-records.api';
import { ApiError, refusal } from '../../../platform/errors/api-error';
import type { WantedChannel } from '../creation/find-or-create-channels.service';

/** A channel to create, without its subscribers. */
export interface NewChannelRequest {
  readonly channel: WantedChannel;
  readonly options: ChannelOptions;
  /** May be empty; the creator is subscribed only if listed. */
  readonly subscriberIds: readonly number[];
  /** Whether the notification bot announces it. */
  readonly announce: boolean;
}

const optional = { optional: true } as const;

/** The services validate names, because forbidden characters have their own errors. */
const channelName = text({ unchecked: true });
const LENGTHS = { minLength: 1, maxLength: MAX_CHANNEL_NAME_LENGTH };

const description = text({ maxLength: MAX_CHANNEL_DESCRIPTION_LENGTH });

/** Parameters of `PATCH /streams/{stream_id}`; permissions as `{new, old}`. */
export class UpdateChannelDto extends ChannelPathDto implements ByChannelGroupSetting<GroupSettingChange> {
  /** Description of the channel, in Markdown. */
  @Parameter(description, optional) description?: string;
  /** Whether the channel is visible only to its subscribers. */
  @Parameter(json.boolean(), optional) is_private?: boolean;
  /** Whether new users are subscribed. */
  @Parameter(json.boolean(), optional) is_default_stream?: boolean;
  /** Whether subscribers can read messages from before they subscribed. */
  @Parameter(json.boolean(), optional) history_public_to_subscribers?: boolean;
  /** Whether the channel can be read without an account. */
  @Parameter(json.boolean(), optional) is_web_public?: boolean;
  /** New name of the channel. */
  @Parameter(channelName, { ...optional, checked: LENGTHS }) new_name?: string;
  /** Days until messages are deleted. */
  @Parameter(integerOrWord(['realm_default', 'unlimited']), { ...optional, example: 30 })
  message_retention_days?: number | string;
  /** Only `false` has an effect: it unarchives the channel. */
  @Parameter(json.boolean(), optional) is_archived?: boolean;
  /** Whether messages may, or must, have the empty topic. */
  @Parameter(bareOrQuoted(TOPICS_POLICIES), optional) topics_policy?: TopicsPolicy;
  /** ID of the channel's folder; null for none. */
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

/** Only `false` has an effect on `is_archived`; archiving is a separate endpoint. @throws BadRetention */
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
  /** ID of the account that posts incoming mail: the caller, one of their bots, or the email gateway bot (default). */
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
  @Parameter(channelName, { checked: LENGTHS }) name!: string;
  /** Description of the channel, in Markdown. */
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

interface UpdatePayload {
  property: string;
  value: boolean | number | string | null | GroupSettingValue;
  stream_id: number;
  /** The name before the change, even if the name is what changes. */
  name: string;
}

/** One property of a channel changed. */
const updated = defineEvent<UpdatePayload>('stream', 'update');

/** The description changed; the event includes its HTML. */
const described = defineEvent<UpdatePayload & { rendered_description: string }>('stream', 'update');

/** The privacy of the channel changed; the event contains all three properties. */
const opened = defineEvent<
  UpdatePayload & { history_public_to_subscribers: boolean; is_web_public: boolean }
>('stream', 'update');

/**
 * One event for each difference between two states of a channel. A new name comes last, so that all events contain the
 * name under which the recipient knows the channel.
 * @param postPolicyOf the legacy number for a value of `can_send_message_group`
 */
export function channelUpdates(
  before: ChannelState,
  after: ChannelState,
  postPolicyOf: (value: GroupSettingValue) => PostPolicy,
): ServerEvent[] {
  const old = before.channel;
  const now = after.channel;
  const names = { stream_id: old.id, name: old.name };
  const events: ServerEvent[] = [];
  if (hasOtherPrivacy(old, now)) {
    events.push(
      opened({
        property: 'invite_only',
        value: now.isPrivate,
        ...names,
        history_public_to_subscribers: now.isHistoryPublicToSubscribers,
        is_web_public: now.isWebPublic,
      }),
    );
  }
  if (old.description !== now.description) {
    const payload = { property: 'description', value: now.description, ...names };
    events.push(described({ ...payload, rendered_description: now.renderedDescription }));
  }
  const differences = [
    ...plainDifferences(old, now),
    ...settingDifferences(before, after, postPolicyOf),
    ...(old.name === now.name ? [] : [{ property: 'name', value: now.name }]),
  ];
  return [...events, ...differences.map((difference) => updated({ ...difference, ...names }))];
}

type Difference = Pick<UpdatePayload, 'property' | 'value'>;

/** Properties whose event contains nothing but the new value. */
const PLAIN_PROPERTIES = {
  is_archived: 'isArchived',
  message_retention_days: 'messageRetentionDays',
  topics_policy: 'topicsPolicy',
  folder_id: 'folderId',
} as const satisfies Record<string, keyof ChannelRecord>;

function plainDifferences(before: ChannelRecord, after: ChannelRecord): Difference[] {
  return Object.entries(PLAIN_PROPERTIES)
    .filter(([, key]) => before[key] !== after[key])
    .map(([property, key]) => ({ property, value: after[key] }));
}

function settingDifferences(
  before: ChannelState,
  after: ChannelState,
  postPolicyOf: (value: GroupSettingValue) => PostPolicy,
): Difference[] {
  return CHANNEL_GROUP_SETTING_NAMES.filter((setting) => isChanged(setting, before, after)).flatMap(
    (setting) => {
      const change = { property: setting, value: after.settings[setting] };
      if (setting !== 'can_send_message_group') return [change];
      return [
        change,
        ...postPolicyDifferences(postPolicyOf(before.settings[setting]), postPolicyOf(change.value)),
      ];
    },
  );
}

function isChanged(setting: ChannelGroupSetting, before: ChannelState, after: ChannelState): boolean {
  return JSON.stringify(before.settings[setting]) !== JSON.stringify(after.settings[setting]);
}

/** For clients that only know the legacy properties for posting. */
function postPolicyDifferences(before: PostPolicy, after: PostPolicy): Difference[] {
  if (before === after) return [];
  return [
    { property: 'stream_post_policy', value: after },
    { property: 'is_announcement_only', value: after === PostPolicy.administrators },
  ];
}

/** A person without content access may not decide who reads the channel. */
export class ChannelContentAccessRequired extends refusal('Channel content access is required.') {}

/** Only administrators choose the default channels of new users. */
export class MayNotChangeDefaultChannels extends refusal(
  'You do not have permission to change default channels.',
) {}

/** For requests that only make a channel a default channel; see also `DefaultChannelCannotBePrivate`. */
export class PrivateChannelCannotBeDefault extends refusal('Private channels cannot be made default.') {}

/** The change would make an archived channel a default channel. */
export class ArchivedChannelCannotBeDefault extends refusal('Archived channels cannot be made default.') {}

/** The new name of a channel equals its current name. */
export class ChannelNameUnchanged extends refusal('Channel already has that name.') {}

/** The new name of a channel belongs to another channel, possibly an archived one. */
export class ChannelNameTaken extends refusal('Channel name is already in use.') {}

/** The name of a new channel belongs to another channel, possibly an archived one. */
export class ChannelAlreadyExists extends ApiError {
  constructor(name: string) {
    super(`Channel '${name}' already exists`, { code: 'CHANNEL_ALREADY_EXISTS', status: 409 });
  }
}

/** The channel to archive is already archived. */
export class ChannelAlreadyArchived extends refusal('Channel is already deactivated') {}

/** The channel to unarchive is not archived. */
export class ChannelNotArchived extends refusal('Channel is not currently deactivated') {}

/** After unarchiving, nobody could enter the channel. */
export class PrivateChannelWithoutSubscribers extends refusal('Channel is private and have no subscribers') {}

/** `empty_topic_only` would hide messages in named topics. */
export class ChannelHasNamedTopics extends ApiError {
  /** @param displayName the organization's name for the empty topic */
  constructor(displayName: string) {
    super(`Every message in the channel must be in the ${displayName} topic.`, {
      data: { empty_topic_display_name: displayName },
    });
  }
}

/** No bot has this ID, or it belongs to a person other than the caller. */
export class UnknownEmailSender extends refusal('No such bot') {}
