import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { SubscriptionDirectory, TopicVisibility, UserTopicsService } from '../../channels/channels.module';
import {
  DirectConversationService,
  Flag,
  FlaggedEventsService,
  MessageFact,
  type MessageRow,
} from '../../messages/messages.module';
import {
  AccountDirectory,
  type AccountRecord,
  personalSetting,
  type PersonalSettings,
} from '../../users/users.module';

type Setting = {
  [Name in keyof PersonalSettings]: PersonalSettings[Name] extends boolean ? Name : never;
}[keyof PersonalSettings];

/** Why a user is notified of a message; the first that applies. */
export type NotificationReason =
  'direct' | 'mention' | 'alert_word' | 'topic_wildcard' | 'channel_wildcard' | 'followed_topic' | 'channel';

/** A way to notify users who are away, and the settings that control it. */
export interface Medium {
  /** Setting for direct messages and mentions. */
  readonly personal: Setting;
  readonly followedTopics: Setting;
  readonly channels: Setting;
  /** Column of a subscription that overrides the setting for channels. */
  readonly ofChannel: 'push_notifications' | 'email_notifications';
  readonly hasAlertWords: boolean;
}

export const PUSH: Medium = {
  personal: 'enable_offline_push_notifications',
  followedTopics: 'enable_followed_topic_push_notifications',
  channels: 'enable_stream_push_notifications',
  ofChannel: 'push_notifications',
  hasAlertWords: true,
};

/** Alert words do not cause mail, as in Zulip. */
export const MAIL: Medium = {
  personal: 'enable_offline_email_notifications',
  followedTopics: 'enable_followed_topic_email_notifications',
  channels: 'enable_stream_email_notifications',
  ofChannel: 'email_notifications',
  hasAlertWords: false,
};

interface SubscriptionRow {
  readonly user_id: number;
  readonly is_muted: unknown;
  readonly push_notifications: unknown;
  readonly email_notifications: unknown;
  readonly wildcard_mentions_notify: unknown;
}

/** A user's settings for a topic and its channel. */
interface PlaceChoice {
  readonly policy: TopicVisibility;
  /** Undefined for users who are not subscribed. */
  readonly subscription: SubscriptionRow | undefined;
}

type Place = Pick<MessageRow, 'channelId' | 'topicName'>;

const WILDCARDS = Flag.channelWildcardMentioned | Flag.topicWildcardMentioned;

/** Decides by personal settings who is notified of a message while away, for each medium. */
@Injectable()
export class NotificationChoice {
  constructor(
    private readonly topics: UserTopicsService,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly conversations: DirectConversationService,
    private readonly flags: FlaggedEventsService,
    private readonly accounts: AccountDirectory,
  ) {}

  /** The people whom a message reaches: the subscribers of its channel, or all participants of the conversation. */
  async reached(db: Queryable, { channelId, conversationId }: MessageRow): Promise<ReadonlySet<number>> {
    if (channelId !== null) return new Set(this.subscriptions.subscribersOf(channelId).ids());
    const members = await this.conversations.membersOf(db, [conversationId ?? 0]);
    return new Set(members.get(conversationId ?? 0));
  }

  /**
   * Users who may have a reason to be mailed about a message; few of those whom it reaches in a large channel.
   * @param reached from {@link reached}
   */
  async mailCandidates(
    db: Queryable,
    message: MessageRow,
    reached: ReadonlySet<number>,
  ): Promise<Iterable<number>> {
    const { channelId, topicName, facts } = message;
    if (channelId === null || (facts & MessageFact.channelWildcard) !== 0) return reached;
    const found = new Set(await this.flags.mentionedIn(db, message));
    for (const [id, policy] of await this.topics.policiesFor(db, channelId, topicName ?? ''))
      if (policy === TopicVisibility.followed) found.add(id);
    const rows = await db.query<{ user_id: number }>(
      'SELECT user_id FROM subscription WHERE channel_id = ? AND is_active = ? AND email_notifications = ?',
      [channelId, true, true],
    );
    for (const row of rows) found.add(row.user_id);
    for (const id of reached) {
      const account = this.accounts.byId(id);
      if (account && personalSetting(account.settings, MAIL.channels)) found.add(id);
    }
    return [...found].filter((id) => reached.has(id));
  }

  /** Users' settings for the place of a message; empty for direct messages. */
  async places(
    db: Queryable,
    { channelId, topicName }: Place,
    userIds: readonly number[],
  ): Promise<(userId: number) => PlaceChoice | null> {
    if (channelId === null || userIds.length === 0) return () => null;
    const policies = await this.topics.policiesFor(db, channelId, topicName ?? '', userIds);
    const rows = await db.query<SubscriptionRow>(
      `SELECT user_id, is_muted, push_notifications, email_notifications, wildcard_mentions_notify FROM subscription
       WHERE channel_id = ? AND is_active = ? AND user_id IN (?)`,
      [channelId, true, userIds],
    );
    const byUser = new Map(rows.map((row) => [row.user_id, row]));
    return (userId) => ({
      policy: policies.get(userId) ?? TopicVisibility.none,
      subscription: byUser.get(userId),
    });
  }

  /**
   * The reason to notify a user; null if there is none, or if the message is read.
   * @param place from {@link places}
   */
  reason(
    medium: Medium,
    { settings }: AccountRecord,
    flags: number,
    place: PlaceChoice | null,
  ): NotificationReason | null {
    if ((flags & Flag.read) !== 0) return null;
    const isOn = (name: Setting) => personalSetting(settings, name);
    const isPersonal = isOn(medium.personal);
    if (place === null) return isPersonal ? 'direct' : null;
    const { policy, subscription } = place;
    if (!subscription) return null;
    const isMentioned = (flags & Flag.mentioned) !== 0;
    if (isMentioned && isPersonal) return 'mention';
    if (isPersonal && medium.hasAlertWords && (flags & Flag.hasAlertWord) !== 0) return 'alert_word';
    const isFollowed = policy === TopicVisibility.followed;
    const isMuted =
      policy === TopicVisibility.muted || (Boolean(subscription.is_muted) && policy === TopicVisibility.none);
    if (isPersonal && (flags & WILDCARDS) !== 0) {
      const isWanted =
        (isFollowed && isOn('enable_followed_topic_wildcard_mentions_notify')) ||
        (!isMuted && choiceOf(subscription.wildcard_mentions_notify, isOn('wildcard_mentions_notify')));
      const isOfTopic = (flags & Flag.topicWildcardMentioned) !== 0;
      if (isWanted) return isOfTopic ? 'topic_wildcard' : 'channel_wildcard';
    }
    // A mention may have made the user follow the topic, which must not override the settings for mentions.
    if (!isMentioned && isFollowed && isOn(medium.followedTopics)) return 'followed_topic';
    const isOfChannel = choiceOf(subscription[medium.ofChannel], isOn(medium.channels));
    return !isMuted && isOfChannel ? 'channel' : null;
  }
}

/** NULL means that the personal setting applies. */
function choiceOf(value: unknown, personal: boolean): boolean {
  return value === null || value === undefined ? personal : Boolean(value);
}
