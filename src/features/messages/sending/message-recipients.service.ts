import { Injectable } from '@nestjs/common';
import { MessageStoreService, type ReplacingContent } from './message-store.service';
import { planDeliveries } from './outgoing-message';
import { BotType } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Audience } from '../../../platform/events/audience';
import type { ServerEvent } from '../../../platform/events/server-event';
import type { Queryable } from '../../../platform/sql/queryable';
import {
  ChannelAccess,
  ChannelDirectory,
  type ChannelRecord,
  SubscriptionDirectory,
} from '../../channels/channels.module';
import { AccountDirectory } from '../../users/users.module';
import { HistoricalMessageService } from '../readers/historical-message.service';
import { MessageAudienceService, type PlacedMessage } from '../readers/message-audience.service';
import { personalState } from '../readers/personal-flags.service';
import { DirectConversationService } from '../store/direct-conversation.service';
import { Flag, flagNames } from '../store/message-flags';
import { channelSentTo, loadMessages, type MessageRow } from '../store/message-rows.service';

/** Finds who has a message in their history: recipients, and users with a row for it. */
@Injectable()
export class MessageRecipientsService {
  constructor(
    private readonly conversations: DirectConversationService,
    private readonly accounts: AccountDirectory,
    private readonly channelAccess: ChannelAccess,
  ) {}

  /**
   * Bots that are not subscribed to a public channel but mentioned by name. They receive the message as well: most bots
   * wait for mentions and are not subscribed everywhere. Webhook bots receive a call, as the sender intended.
   */
  botsCalled(
    channel: ChannelRecord,
    subscribers: Audience,
    senderId: number,
    mentionedUserIds: ReadonlySet<number>,
  ): number[] {
    if (channel.isPrivate) return [];
    return [...mentionedUserIds].filter((userId) => {
      if (userId === senderId || subscribers.has(userId)) return false;
      const account = this.accounts.byId(userId);
      if (!account?.isActive || account.isSystemBot || account.botType !== BotType.generic) return false;
      return this.channelAccess.hasContentAccess({ userId, role: account.role }, channel);
    });
  }

  /** Filters people down to recipients of the message and people who have a row for it. */
  async among(db: Queryable, message: PlacedMessage, userIds: Iterable<number>): Promise<number[]> {
    const asked = [...userIds];
    if (asked.length === 0) return [];
    const received = await this.received(db, message, asked);
    const stored = await this.storedFlags(db, message.id);
    return asked.filter((userId) => received.has(userId) || stored.has(userId));
  }

  /** Filters people down to recipients of the message where it was sent. */
  async received(
    db: Queryable,
    message: PlacedMessage,
    userIds: readonly number[],
  ): Promise<ReadonlySet<number>> {
    if (message.conversationId !== null) {
      const members = await this.conversations.membersOf(db, [message.conversationId]);
      return new Set(members.get(message.conversationId));
    }
    const rows = await db.query<{ user_id: number }>(
      `SELECT user_id FROM subscription_period
       WHERE channel_id = ? AND first_message_id <= ? AND (last_message_id IS NULL OR last_message_id >= ?)
         AND user_id IN (?)
       UNION SELECT user_id FROM message_flag WHERE message_id = ? AND (flags & ${Flag.received}) <> 0
         AND user_id IN (?)`,
      [channelSentTo(message), message.id, message.id, userIds, message.id, userIds],
    );
    return new Set(rows.map((row) => row.user_id));
  }

  /** By user ID, the flags of everyone who has a row for the message. */
  async storedFlags(db: Queryable, messageId: number): Promise<ReadonlyMap<number, number>> {
    const rows = await db.query<{ user_id: number; flags: number }>(
      'SELECT user_id, flags FROM message_flag WHERE message_id = ?',
      [messageId],
    );
    return new Map(rows.map((row) => [row.user_id, row.flags]));
  }
}

/** Emits events about a message that include each recipient's own flags on it. */
@Injectable()
export class FlaggedEventsService {
  constructor(
    private readonly recipients: MessageRecipientsService,
    private readonly audiences: MessageAudienceService,
  ) {}

  /** @param define creates the event with the default flags of its recipients */
  async emit(
    tx: Transaction,
    messageId: number,
    audience: Audience,
    define: (flags: readonly string[]) => ServerEvent,
  ): Promise<void> {
    const [message] = await loadMessages(tx, [messageId]);
    if (!message || audience.size === 0) return;
    const flagsOf = await this.flagsOf(tx, message, [...audience.ids()]);
    for (const delivery of planDeliveries(audience, mostFrequent(flagsOf.values()), flagsOf)) {
      tx.emit(define(flagNames(delivery.flags)), delivery.audience, {
        personal: new Map(
          [...delivery.exceptions].map(([userId, own]) => [userId, { flags: flagNames(own) }]),
        ),
      });
    }
  }

  /** Users whom a message mentions by name, by group, or as participants of its topic; excludes channel wildcards. */
  async mentionedIn(db: Queryable, message: MessageRow): Promise<number[]> {
    const rows = await db.query<{ user_id: number }>(
      `SELECT user_id FROM message_flag WHERE message_id = ? AND (flags & ${Flag.mentioned}) <> 0`,
      [message.id],
    );
    return [...rows.map((row) => row.user_id), ...(await setsOfPeople(db, message)).keys()];
  }

  /** Users whom a message has mentioned by name or by group so far, using the groups' members at that time. */
  async namedOrInGroup(db: Queryable, messageId: number): Promise<ReadonlySet<number>> {
    const rows = await db.query<{ user_id: number }>(
      `SELECT user_id FROM message_flag WHERE message_id = ? AND (flags & ${Flag.mentioned}) <> 0
       UNION SELECT user_id FROM mention_set_member
         WHERE set_id = (SELECT group_mention_set_id FROM message WHERE id = ?)`,
      [messageId, messageId],
    );
    return new Set(rows.map((row) => row.user_id));
  }

  /** By user ID, the flags of each of the people. */
  async flagsOf(
    db: Queryable,
    message: MessageRow,
    userIds: readonly number[],
  ): Promise<Map<number, number>> {
    const received = await this.recipients.received(db, message, userIds);
    const stored = await this.recipients.storedFlags(db, message.id);
    const readers = new Set(await this.audiences.readersOf(db, message));
    const mentionSets = await setsOfPeople(db, message);
    const flagsOf = (userId: number): number =>
      personalState(message, {
        stored: stored.get(userId),
        isReceived: received.has(userId),
        isRead: readers.has(userId),
        mentionSets: mentionSets.get(userId) ?? NONE,
      }).flags;
    return new Map(userIds.map((userId) => [userId, flagsOf(userId)]));
  }
}

const NONE: ReadonlySet<number> = new Set();

/** By user ID, the message's sets of mentioned people that contain the person. */
async function setsOfPeople(db: Queryable, message: MessageRow): Promise<Map<number, Set<number>>> {
  const found = new Map<number, Set<number>>();
  const ids = [message.groupMentionSetId, message.topicMentionSetId].filter((id) => id !== null);
  if (ids.length === 0) return found;
  const rows = await db.query<{ user_id: number; set_id: number }>(
    'SELECT user_id, set_id FROM mention_set_member WHERE set_id IN (?)',
    [ids],
  );
  for (const { user_id: userId, set_id: setId } of rows) {
    const sets = found.get(userId);
    if (sets) sets.add(setId);
    else found.set(userId, new Set([setId]));
  }
  return found;
}

function mostFrequent(values: Iterable<number>): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: [value: number, count: number] = [0, 0];
  for (const entry of counts) {
    if (entry[1] > best[1]) best = entry;
  }
  return best[0];
}

/** The parts of a message that determine whom new content affects. */
type SentPlacedMessage = PlacedMessage & Pick<MessageRow, 'senderId'>;

/** Stores new content of messages, and whom it now mentions. */
@Injectable()
export class EditedContentService {
  constructor(
    private readonly store: MessageStoreService,
    private readonly recipients: MessageRecipientsService,
    private readonly history: HistoricalMessageService,
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscriptionDirectory,
  ) {}

  /**
   * The read state does not change: only the flags for mentions are set or removed.
   * @returns recipients whom the message now mentions by name and did not before
   */
  async replace(
    tx: Transaction,
    message: SentPlacedMessage,
    next: ReplacingContent,
  ): Promise<ReadonlySet<number>> {
    const { rendered, alerted } = next;
    await this.store.replaceContent(tx, message.id, next);
    await this.addToHistories(tx, message, rendered.mentionedUserIds);
    const mentioned = await this.recipients.among(tx, message, rendered.mentionedUserIds);
    const mentionedBefore = await this.store.mentionedAmong(tx, message.id, mentioned);
    await this.store.replaceFlags(tx, message.id, {
      mentioned,
      alerted: await this.recipients.among(tx, message, alerted),
    });
    return new Set(mentioned.filter((userId) => !mentionedBefore.has(userId)));
  }

  /**
   * Adds the message to the histories of mentioned people who subscribed after it was sent and can see it, and of
   * mentioned bots that are not subscribed to a public channel.
   */
  private async addToHistories(
    tx: Transaction,
    message: SentPlacedMessage,
    mentioned: ReadonlySet<number>,
  ): Promise<void> {
    const channel = this.channels.byId(message.channelId ?? 0);
    if (!channel?.isHistoryPublicToSubscribers) return;
    const recipients = new Set(await this.recipients.among(tx, message, mentioned));
    const subscribers = this.subscriptions.subscribersOf(channel.id);
    const called = this.recipients.botsCalled(channel, subscribers, message.senderId, mentioned);
    const subscribed = [...mentioned].filter((userId) => subscribers.has(userId));
    for (const userId of [...subscribed, ...called]) {
      if (!recipients.has(userId)) await this.history.enter(tx, userId, [message.id]);
    }
  }
}
