import { defineEvent, type ServerEvent } from '../../../platform/events/server-event';
import type { GroupSettingValue } from '../../user-groups';
import type { ChannelRecord } from '../store/channel.directory';
import { hasOtherPrivacy } from './channel-changes';
import type { ChannelState } from '../store/channel-settings.service';
import { CHANNEL_GROUP_SETTING_NAMES, type ChannelGroupSetting } from '../store/channel-group-settings';
import { PostPolicy } from '../store/channels.wire';

interface UpdatePayload {
  property: string;
  value: boolean | number | string | null | GroupSettingValue;
  stream_id: number;
  /** As it was before the change, where it is the name that changes. */
  name: string;
}

/** One property of a channel changed. */
const updated = defineEvent<UpdatePayload>('stream', 'update');

/** The description changed; its HTML goes with it. */
const described = defineEvent<UpdatePayload & { rendered_description: string }>('stream', 'update');

/** Who reads the channel changed; the three properties that say so go together. */
const opened = defineEvent<
  UpdatePayload & { history_public_to_subscribers: boolean; is_web_public: boolean }
>('stream', 'update');

/**
 * One event for each difference between two states of a channel. A new name comes last, so that all of
 * them carry the name under which the receiver knows the channel.
 * @param postPolicyOf the older number for a value of `can_send_message_group`
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

/** Properties whose event says nothing but the new value. */
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

/** For clients that know only the older forms of who may post. */
function postPolicyDifferences(before: PostPolicy, after: PostPolicy): Difference[] {
  if (before === after) return [];
  return [
    { property: 'stream_post_policy', value: after },
    { property: 'is_announcement_only', value: after === PostPolicy.administrators },
  ];
}
