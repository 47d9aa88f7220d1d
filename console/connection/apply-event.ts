import {
  TOPIC_POLICY,
  type Channel,
  type CustomEmoji,
  type Group,
  type KnownChannel,
  type Person,
  type Registration,
  type Reminder,
  type SavedDraft,
  type ScheduledMessage,
  type ServerEvent,
  type UserStatus,
} from './records';
import { othersOf, topicKey, type Place } from './place';

/** Everything that the console knows, but for messages. It is never changed: events make a new one of it. */
export interface State {
  /** ID of the person who is signed in. */
  readonly me: number;
  /** What events come from; it is known when the state is. */
  readonly queueId?: string;
  /** Settings of the organization; their names begin with `realm_`. */
  readonly organization: Readonly<Record<string, unknown>>;
  readonly people: ReadonlyMap<number, Person>;
  readonly groups: ReadonlyMap<number, Group>;
  readonly channels: ReadonlyMap<number, KnownChannel>;
  readonly emoji: Readonly<Record<string, CustomEmoji>>;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Unread messages by ID. */
  readonly unread: ReadonlyMap<number, Place>;
  readonly mentions: ReadonlySet<number>;
  /** What the person said about topics, by their keys. */
  readonly topicPolicies: ReadonlyMap<string, number>;
  /** The names of these topics, as they are written. */
  readonly topicNames: ReadonlyMap<string, { readonly channelId: number; readonly topic: string }>;
  readonly mutedUsers: ReadonlySet<number>;
  /** Of users with a status. */
  readonly statuses: ReadonlyMap<number, UserStatus>;
  /** Drafts that the server keeps, by ID. */
  readonly drafts: ReadonlyMap<number, SavedDraft>;
  readonly scheduled: ReadonlyMap<number, ScheduledMessage>;
  readonly reminders: ReadonlyMap<number, Reminder>;
  /** Newest message by the people of a conversation, joined by commas. */
  readonly conversations: ReadonlyMap<string, number>;
}

/** The state that a registration tells. */
export function stateOf(registration: Registration): State {
  const { user_id: me, unread_msgs: unread } = registration;
  const known = (channels: readonly Channel[], isSubscribed: boolean) =>
    channels.map((channel): [number, KnownChannel] => [channel.stream_id, { ...channel, isSubscribed }]);
  const active = [...registration.realm_users, ...registration.cross_realm_bots];
  const places: (readonly [readonly number[], Place])[] = [
    ...unread.streams.map(
      (each) => [each.unread_message_ids, { channelId: each.stream_id, topic: each.topic }] as const,
    ),
    ...unread.pms.map(
      (each) => [each.unread_message_ids, { userIds: othersOf([each.other_user_id], me) }] as const,
    ),
    ...unread.huddles.map((each) => {
      const ids = each.user_ids_string.split(',').map(Number);
      return [each.unread_message_ids, { userIds: othersOf(ids, me) }] as const;
    }),
  ];
  return {
    me,
    queueId: registration.queue_id,
    organization: Object.fromEntries(
      Object.entries(registration).filter(([key]) => /^(realm_(?!users)|server_|max_|can_)/.test(key)),
    ),
    people: new Map([
      ...registration.realm_non_active_users.map((person): [number, Person] => [
        person.user_id,
        { ...person, is_active: false },
      ]),
      ...active.map((person): [number, Person] => [
        person.user_id,
        {
          ...person,
          is_active: true,
          ...(person.user_id === me && { avatar_source: registration.avatar_source }),
        },
      ]),
    ]),
    groups: new Map(registration.realm_user_groups.map((group) => [group.id, group])),
    channels: new Map([
      ...known(registration.never_subscribed, false),
      ...known(registration.unsubscribed, false),
      ...known(registration.subscriptions, true),
    ]),
    emoji: registration.realm_emoji,
    settings: registration.user_settings,
    unread: new Map(places.flatMap(([ids, place]) => ids.map((id): [number, Place] => [id, place]))),
    mentions: new Set(unread.mentions),
    topicPolicies: new Map(
      registration.user_topics.map((each) => [
        topicKey(each.stream_id, each.topic_name),
        each.visibility_policy,
      ]),
    ),
    topicNames: new Map(
      registration.user_topics.map(({ stream_id: channelId, topic_name: topic }) => [
        topicKey(channelId, topic),
        { channelId, topic },
      ]),
    ),
    mutedUsers: mutedIn(registration.muted_users),
    statuses: new Map(
      Object.entries(registration.user_status).flatMap(([id, each]) => {
        const status = shownStatus(each);
        return status ? [[Number(id), status]] : [];
      }),
    ),
    drafts: byId(registration.drafts),
    scheduled: scheduledById(registration.scheduled_messages),
    reminders: remindersById(registration.reminders),
    conversations: new Map(
      registration.recent_private_conversations.map((each) => [each.user_ids.join(), each.max_message_id]),
    ),
  };
}

const byId = <R extends { readonly id: number }>(records: readonly R[]) =>
  new Map(records.map((each) => [each.id, each]));

const scheduledById = (records: readonly ScheduledMessage[]) =>
  new Map(records.map((each) => [each.scheduled_message_id, each]));

const remindersById = (records: readonly Reminder[]) =>
  new Map(records.map((each) => [each.reminder_id, each]));

const mutedIn = (muted: Registration['muted_users']) => new Set(muted.map(({ id }) => id));

/** A status without its empty parts; nothing where none is left. */
function shownStatus({
  status_text,
  emoji_name,
  emoji_code,
  reaction_type,
}: UserStatus): UserStatus | undefined {
  const status: UserStatus = {
    ...(status_text && { status_text }),
    ...(emoji_name && { emoji_name, emoji_code: emoji_code!, reaction_type: reaction_type! }),
  };
  return Object.keys(status).length > 0 ? status : undefined;
}

type Reducer = (state: State, event: ServerEvent) => Partial<State>;

/** The map with one entry more, changed or (without a value) less. */
function changed<K, V>(map: ReadonlyMap<K, V>, key: K, value: V | undefined): Map<K, V> {
  const copy = new Map(map);
  if (value === undefined) copy.delete(key);
  else copy.set(key, value);
  return copy;
}

/** The map with something changed in one of its records; the same map where there is no such record. */
function merged<V extends object>(
  map: ReadonlyMap<number, V>,
  id: number,
  change: (record: V) => Partial<V>,
): ReadonlyMap<number, V> {
  const record = map.get(id);
  return record ? changed(map, id, { ...record, ...change(record) }) : map;
}

const without = (list: readonly number[], gone: readonly number[]) =>
  list.filter((each) => !gone.includes(each));

/** The state without messages that are read or gone. */
function readIn(state: State, ids: readonly number[]): Partial<State> {
  const unread = new Map(state.unread);
  for (const id of ids) unread.delete(id);
  const mentions = ids.some((id) => state.mentions.has(id))
    ? new Set([...state.mentions].filter((id) => !ids.includes(id)))
    : state.mentions;
  return { unread, mentions };
}

/** Whether the person wants to hear nothing of a topic. */
export function isMutedIn(
  { topicPolicies, channels }: Pick<State, 'topicPolicies' | 'channels'>,
  channelId: number,
  topic: string,
): boolean {
  const policy = topicPolicies.get(topicKey(channelId, topic)) ?? TOPIC_POLICY.none;
  if (policy === TOPIC_POLICY.none) return channels.get(channelId)?.is_muted ?? false;
  return policy === TOPIC_POLICY.muted;
}

function mentionedIn(state: State, id: number, flags: readonly string[]): ReadonlySet<number> {
  const isMention = flags.some((flag) => flag === 'mentioned' || flag.endsWith('wildcard_mentioned'));
  if (isMention === state.mentions.has(id)) return state.mentions;
  const mentions = new Set(state.mentions);
  if (isMention) mentions.add(id);
  else mentions.delete(id);
  return mentions;
}

/** The state with more or fewer subscribers of some channels. */
function counted(state: State, { stream_ids, user_ids }: ServerEvent, sign: 1 | -1): Partial<State> {
  const channels = new Map(state.channels);
  for (const id of stream_ids as number[]) {
    const channel = channels.get(id);
    const subscriber_count = (channel?.subscriber_count ?? 0) + sign * (user_ids as number[]).length;
    if (channel) channels.set(id, { ...channel, subscriber_count });
  }
  return { channels };
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
          // Events of subscribers tell of others.
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

const messageReducers: Record<string, Reducer> = {
  message: (state, { message, flags }) => {
    const userIds =
      message.type === 'stream'
        ? null
        : othersOf(
            message.display_recipient.map((each: { id: number }) => each.id),
            state.me,
          );
    const place: Place = userIds ? { userIds } : { channelId: message.stream_id, topic: message.subject };
    return {
      ...(userIds && { conversations: changed(state.conversations, userIds.join(), message.id) }),
      ...(!flags.includes('read') && {
        unread: changed(state.unread, message.id, place),
        mentions: mentionedIn(state, message.id, flags),
      }),
    };
  },
  update_message: (state, event) => {
    const ids = event.message_ids as number[];
    const isMoved = event.new_stream_id !== undefined || event.subject !== undefined;
    const unread = new Map(state.unread);
    for (const id of isMoved ? ids : []) {
      const place = unread.get(id);
      if (!place || 'userIds' in place) continue;
      const { channelId, topic } = place;
      unread.set(id, { channelId: event.new_stream_id ?? channelId, topic: event.subject ?? topic });
    }
    const isEdited = 'content' in event && unread.has(event.message_id);
    return {
      ...(isMoved && { unread }),
      ...(isEdited && {
        mentions: mentionedIn(state, event.message_id, event.flags),
      }),
    };
  },
  delete_message: (state, { message_ids, message_id }) => readIn(state, message_ids ?? [message_id]),
  'update_message_flags/add': (state, { flag, messages, all }) => {
    if (flag !== 'read') return {};
    return all ? { unread: new Map(), mentions: new Set() } : readIn(state, messages);
  },
  'update_message_flags/remove': (state, { flag, messages, message_details }) => {
    if (flag !== 'read') return {};
    const unread = new Map(state.unread);
    const mentions = new Set(state.mentions);
    for (const id of messages as number[]) {
      const details = message_details[id];
      unread.set(
        id,
        details.type === 'stream'
          ? { channelId: details.stream_id, topic: details.topic }
          : { userIds: othersOf(details.user_ids, state.me) },
      );
      if (details.mentioned) mentions.add(id);
    }
    return { unread, mentions };
  },
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
  'realm_emoji/update': (_, { realm_emoji }) => ({ emoji: realm_emoji }),
  'realm_user/add': (state, { person }) => ({
    people: changed(state.people, person.user_id, { is_active: true, ...person }),
  }),
  'realm_user/remove': (state, { person }) => ({ people: changed(state.people, person.user_id, undefined) }),
  'realm_user/update': (state, { person }) => {
    const { user_id, new_email, ...rest } = person;
    const isGuest = rest.role === undefined ? {} : { is_guest: rest.role === 600 };
    return {
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
    // The server forgets them then, and no event tells of it.
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

/** The types of events that change the state, and those that only change messages. */
const EVENT_TYPES = [
  ...new Set([...Object.keys(reducers).map((name) => name.split('/', 1)[0]!), 'reaction', 'submessage']),
];

/** What the console asks for when it registers: the state above, and the events that keep it up. */
export const REGISTRATION = {
  apply_markdown: true,
  client_gravatar: false,
  event_types: [...EVENT_TYPES, 'typing'],
  // Further state, which no events of their own keep up.
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

/** What is known after an event. Parts that stay as they were stay the same objects. */
export function applyEvent(state: State, event: ServerEvent): State {
  const reducer = reducers[`${event.type}/${event.op}`] ?? reducers[event.type];
  return reducer ? { ...state, ...reducer(state, event) } : state;
}
