import { byId, mutedIn, remindersById, scheduledById, shownStatus, type State } from './known';
import { messageReducers } from './message-events';
import { topicKey } from './place';
import type { AllowedDomain, Channel, Group, KnownChannel, SavedDraft, ServerEvent } from './records';
import { changed, merged, type Reducer } from './reducer';

const without = (list: readonly number[], gone: readonly number[]) =>
  list.filter((each) => !gone.includes(each));

/** Updates the subscriber counts of some channels. */
function counted(state: State, { stream_ids, user_ids }: ServerEvent, sign: 1 | -1): Partial<State> {
  const channels = new Map(state.channels);
  for (const id of stream_ids as number[]) {
    const channel = channels.get(id);
    const subscriber_count = (channel?.subscriber_count ?? 0) + sign * (user_ids as number[]).length;
    if (channel) channels.set(id, { ...channel, subscriber_count });
  }
  return { channels };
}

/** Removes a person from settings that list people individually. */
function withdrawn<T extends object>(settings: T, userId: number): T {
  const entries = Object.entries(settings).map(([key, value]: [string, unknown]) => {
    const members = (value as { direct_members?: readonly number[] } | null)?.direct_members;
    const isNamed = members?.includes(userId);
    return [key, isNamed ? { ...(value as object), direct_members: without(members!, [userId]) } : value];
  });
  return Object.fromEntries(entries) as T;
}

/** Removes a deactivated person from groups and permissions; no other events do. */
function withoutHolder(state: State, userId: number): Partial<State> {
  const groups = [...state.groups].map(([id, group]): [number, Group] => [
    id,
    withdrawn({ ...group, members: without(group.members, [userId]) }, userId),
  ]);
  return { groups: new Map(groups), organization: withdrawn(state.organization, userId) };
}

const channelReducers: Record<string, Reducer> = {
  'stream/create': (state, { streams }) => ({
    channels: new Map([
      ...state.channels,
      ...(streams as Channel[]).map((each): [number, KnownChannel] => [
        each.stream_id,
        { ...state.channels.get(each.stream_id), ...each, isSubscribed: false },
      ]),
    ]),
  }),
  'stream/delete': (state, { stream_ids, streams }) => {
    const gone = (stream_ids ?? streams.map((each: Channel) => each.stream_id)) as number[];
    return { channels: new Map([...state.channels].filter(([id]) => !gone.includes(id))) };
  },
  'stream/update': (state, { stream_id, property, value, ...rest }) => ({
    channels: merged(state.channels, stream_id, () => ({
      [property]: value,
      ...('rendered_description' in rest && { rendered_description: rest.rendered_description }),
      ...('history_public_to_subscribers' in rest && {
        history_public_to_subscribers: rest.history_public_to_subscribers,
        is_web_public: rest.is_web_public,
      }),
    })),
  }),
  'subscription/add': (state, { subscriptions }) => ({
    channels: new Map([
      ...state.channels,
      ...(subscriptions as Channel[]).map((each): [number, KnownChannel] => [
        each.stream_id,
        { ...each, isSubscribed: true },
      ]),
    ]),
  }),
  'subscription/remove': (state, { subscriptions }) => ({
    channels: (subscriptions as Channel[]).reduce(
      (channels, { stream_id }) =>
        merged(channels, stream_id, ({ isSubscribed, subscriber_count }) => ({
          isSubscribed: false,
          // Events about subscribers only concern other people.
          subscriber_count: subscriber_count - (isSubscribed ? 1 : 0),
        })),
      state.channels,
    ),
  }),
  'subscription/peer_add': (state, event) => counted(state, event, 1),
  'subscription/peer_remove': (state, event) => counted(state, event, -1),
  'subscription/update': (state, { stream_id, property, value }) => ({
    channels: merged(state.channels, stream_id, () => ({ [property]: value })),
  }),
  user_topic: (state, { stream_id, topic_name, visibility_policy }) => ({
    topicPolicies: changed(
      state.topicPolicies,
      topicKey(stream_id, topic_name),
      visibility_policy === 0 ? undefined : visibility_policy,
    ),
    topicNames: changed(state.topicNames, topicKey(stream_id, topic_name), {
      channelId: stream_id as number,
      topic: topic_name as string,
    }),
  }),
};

const groupReducers: Record<string, Reducer> = {
  'user_group/add': (state, { group }) => ({ groups: changed(state.groups, group.id, group) }),
  'user_group/remove': (state, { group_id }) => ({ groups: changed(state.groups, group_id, undefined) }),
  'user_group/update': (state, { group_id, data }) => ({
    groups: merged(state.groups, group_id, () => data),
  }),
  'user_group/add_members': (state, { group_id, user_ids }) => ({
    groups: merged(state.groups, group_id, ({ members }) => ({ members: [...members, ...user_ids] })),
  }),
  'user_group/remove_members': (state, { group_id, user_ids }) => ({
    groups: merged(state.groups, group_id, ({ members }) => ({ members: without(members, user_ids) })),
  }),
  'user_group/add_subgroups': (state, { group_id, direct_subgroup_ids: ids }) => ({
    groups: merged(state.groups, group_id, (group) => ({
      direct_subgroup_ids: [...group.direct_subgroup_ids, ...ids],
    })),
  }),
  'user_group/remove_subgroups': (state, { group_id, direct_subgroup_ids: ids }) => ({
    groups: merged(state.groups, group_id, (group) => ({
      direct_subgroup_ids: without(group.direct_subgroup_ids, ids),
    })),
  }),
};

/** Adds, changes or removes an allowed domain, keeping the order. */
function domainsWith({ organization }: State, name: string, domain?: AllowedDomain): Partial<State> {
  const now = organization['realm_domains'] as readonly AllowedDomain[];
  const isKnown = now.some((each) => each.domain === name);
  const next = now.flatMap((each) => (each.domain !== name ? [each] : domain ? [domain] : []));
  return {
    organization: { ...organization, realm_domains: isKnown || !domain ? next : [...next, domain] },
  };
}

const organizationReducers: Record<string, Reducer> = {
  'realm/update': (state, { property, value }) => ({
    organization: { ...state.organization, [`realm_${property}`]: value },
  }),
  'realm/update_dict': (state, { data }) => ({
    organization: {
      ...state.organization,
      ...Object.fromEntries(
        Object.entries(data as object).map(([key, value]) => [`realm_${key}`, value as unknown]),
      ),
    },
  }),
  'realm_user_settings_defaults/update': ({ organization }, { property, value }) => ({
    organization: {
      ...organization,
      realm_user_settings_defaults: {
        ...(organization['realm_user_settings_defaults'] as object),
        [property]: value,
      },
    },
  }),
  default_streams: ({ organization }, { default_streams }) => ({
    organization: { ...organization, realm_default_streams: default_streams },
  }),
  'realm_domains/add': (state, { realm_domain }) => domainsWith(state, realm_domain.domain, realm_domain),
  'realm_domains/change': (state, { realm_domain }) => domainsWith(state, realm_domain.domain, realm_domain),
  'realm_domains/remove': (state, { domain }) => domainsWith(state, domain as string),
  'realm_emoji/update': (_, { realm_emoji }) => ({ emoji: realm_emoji }),
  'realm_user/add': (state, { person }) => ({
    people: changed(state.people, person.user_id, { is_active: true, ...person }),
  }),
  'realm_user/remove': (state, { person }) => ({ people: changed(state.people, person.user_id, undefined) }),
  'realm_user/update': (state, { person }) => {
    const { user_id, new_email, ...rest } = person;
    const isGuest = rest.role === undefined ? {} : { is_guest: rest.role === 600 };
    return {
      ...(rest.is_active === false && withoutHolder(state, user_id as number)),
      people: merged(state.people, user_id, () => ({
        ...rest,
        ...isGuest,
        ...(new_email !== undefined && { email: new_email }),
      })),
    };
  },
  muted_users: (_, { muted_users }) => ({ mutedUsers: mutedIn(muted_users) }),
  user_status: (state, { user_id, ...change }) => ({
    statuses: changed(
      state.statuses,
      user_id as number,
      shownStatus({ ...state.statuses.get(user_id), ...change }),
    ),
  }),
  'user_settings/update': (state, { property, value }) => ({
    settings: { ...state.settings, [property]: value },
    // The server then deletes all drafts without sending events.
    ...(property === 'enable_drafts_synchronization' && value === false && { drafts: new Map() }),
  }),
};

const unsentReducers: Record<string, Reducer> = {
  'drafts/add': (state, { drafts }) => ({ drafts: new Map([...state.drafts, ...byId<SavedDraft>(drafts)]) }),
  'drafts/update': (state, { draft }) => ({ drafts: changed(state.drafts, draft.id, draft) }),
  'drafts/remove': (state, { draft_id }) => ({ drafts: changed(state.drafts, draft_id, undefined) }),
  'scheduled_messages/add': (state, { scheduled_messages }) => ({
    scheduled: new Map([...state.scheduled, ...scheduledById(scheduled_messages)]),
  }),
  'scheduled_messages/update': (state, { scheduled_message }) => ({
    scheduled: changed(state.scheduled, scheduled_message.scheduled_message_id, scheduled_message),
  }),
  'scheduled_messages/remove': (state, { scheduled_message_id }) => ({
    scheduled: changed(state.scheduled, scheduled_message_id, undefined),
  }),
  'reminders/add': (state, { reminders }) => ({
    reminders: new Map([...state.reminders, ...remindersById(reminders)]),
  }),
  'reminders/remove': (state, { reminder_id }) => ({
    reminders: changed(state.reminders, reminder_id, undefined),
  }),
};

const reducers = {
  ...channelReducers,
  ...messageReducers,
  ...groupReducers,
  ...organizationReducers,
  ...unsentReducers,
};

/** Types of events that change the state, and those that only change messages. */
const EVENT_TYPES = [
  ...new Set([...Object.keys(reducers).map((name) => name.split('/', 1)[0]!), 'reaction', 'submessage']),
];

/** Parameters of the registration: the state above, and the events that keep it up to date. */
export const REGISTRATION = {
  apply_markdown: true,
  client_gravatar: false,
  event_types: [...EVENT_TYPES, 'typing'],
  // Additional state without event types of its own.
  fetch_event_types: [...EVENT_TYPES, 'recent_private_conversations', 'realm_user_groups'],
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_settings_object: true,
    empty_topic_name: true,
    archived_channels: true,
    include_deactivated_groups: true,
    user_list_incomplete: true,
    stream_typing_notifications: true,
  },
};

/** Applies an event to the state. Unchanged parts stay the same objects. */
export function applyEvent(state: State, event: ServerEvent): State {
  const reducer = reducers[`${event.type}/${event.op}`] ?? reducers[event.type];
  return reducer ? { ...state, ...reducer(state, event) } : state;
}
