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
  type UserStatus,
} from './records';
import { othersOf, topicKey, type Place } from './place';

/** Everything that the console knows, except messages. Immutable: events create a new state. */
export interface State {
  /** ID of the signed-in user. */
  readonly me: number;
  /** ID of the event queue; known once the state is. */
  readonly queueId?: string;
  /** Settings of the organization; the names begin with `realm_`. */
  readonly organization: Readonly<Record<string, unknown>>;
  readonly people: ReadonlyMap<number, Person>;
  readonly groups: ReadonlyMap<number, Group>;
  readonly channels: ReadonlyMap<number, KnownChannel>;
  readonly emoji: Readonly<Record<string, CustomEmoji>>;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Unread messages by ID. */
  readonly unread: ReadonlyMap<number, Place>;
  readonly mentions: ReadonlySet<number>;
  /** The user's visibility policies for topics, by topic key. */
  readonly topicPolicies: ReadonlyMap<string, number>;
  /** Names of these topics in their original spelling. */
  readonly topicNames: ReadonlyMap<string, { readonly channelId: number; readonly topic: string }>;
  readonly mutedUsers: ReadonlySet<number>;
  /** Statuses by user ID; only of users with a status. */
  readonly statuses: ReadonlyMap<number, UserStatus>;
  /** Drafts stored on the server, by ID. */
  readonly drafts: ReadonlyMap<number, SavedDraft>;
  readonly scheduled: ReadonlyMap<number, ScheduledMessage>;
  readonly reminders: ReadonlyMap<number, Reminder>;
  /** ID of the newest message by the members of a conversation, joined by commas. */
  readonly conversations: ReadonlyMap<string, number>;
}

/** Builds the state from a registration. */
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

export const byId = <R extends { readonly id: number }>(records: readonly R[]) =>
  new Map(records.map((each) => [each.id, each]));

export const scheduledById = (records: readonly ScheduledMessage[]) =>
  new Map(records.map((each) => [each.scheduled_message_id, each]));

export const remindersById = (records: readonly Reminder[]) =>
  new Map(records.map((each) => [each.reminder_id, each]));

export const mutedIn = (muted: Registration['muted_users']) => new Set(muted.map(({ id }) => id));

/** A status without its empty parts; undefined if nothing remains. */
export function shownStatus({
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

/** Whether a topic is muted for the user. */
export function isMutedIn(
  { topicPolicies, channels }: Pick<State, 'topicPolicies' | 'channels'>,
  channelId: number,
  topic: string,
): boolean {
  const policy = topicPolicies.get(topicKey(channelId, topic)) ?? TOPIC_POLICY.none;
  if (policy === TOPIC_POLICY.none) return channels.get(channelId)?.is_muted ?? false;
  return policy === TOPIC_POLICY.muted;
}
