import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Role } from '../../../platform/actor';
import type { Queryable } from '../../../platform/sql/queryable';
import { Audience } from '../../../platform/events/audience';
import { ChannelDirectory, SubscriptionDirectory } from '../../channels/channels.module';
import { AccountDirectory } from '../../users/users.module';
import { DirectConversationService } from '../store/direct-conversation.service';
import { channelSentTo, type MessageHead, type MessageRow } from '../store/message-rows.service';
import { blockOf, ReadSet } from '../store/read-set';

/** The parts of a message that determine who receives its events. */
export type PlacedMessage = Pick<MessageRow, 'id' | 'channelId' | 'sentChannelId' | 'conversationId'>;

/** A person who has a message in their history, and the block of their read state that covers it. */
interface OwnerRow {
  readonly user_id: number;
  readonly watermark: number | null;
  readonly bits: string | null;
}

const MESSAGES_PER_STATEMENT = 5_000;

/**
 * Users who received a message in its channel, have a row for it, or are in its conversation. Leaves out continuous
 * subscribers, of whom there may be very many, if they receive the events anyway.
 */
const HOLDERS = `
  SELECT p.user_id FROM message m
  JOIN subscription_period p ON p.channel_id = COALESCE(m.sent_channel_id, m.channel_id)
  WHERE m.id = ? AND p.first_message_id <= m.id AND p.last_message_id >= m.id
  UNION SELECT p.user_id FROM message m JOIN channel c ON c.id = m.channel_id
  JOIN subscription_period p ON p.channel_id = COALESCE(m.sent_channel_id, m.channel_id) AND p.last_message_id IS NULL
  WHERE m.id = ? AND p.first_message_id <= m.id
    AND (m.sent_channel_id <> c.id OR (c.is_private AND NOT c.is_history_public_to_subscribers))
  UNION SELECT user_id FROM message_flag WHERE message_id = ?
  UNION SELECT d.user_id FROM message m JOIN direct_conversation_member d ON d.conversation_id = m.conversation_id
  WHERE m.id = ?`;

/** Finds the recipients of events about a sent message, such as reactions, and its readers. */
@Injectable()
export class MessageAudienceService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly accounts: AccountDirectory,
    private readonly conversations: DirectConversationService,
  ) {}

  /** The audience of a message. Returns the channel's shared object if the audience is just its subscribers. */
  of(db: Queryable, message: PlacedMessage): Promise<Audience> {
    return this.ofAll(db, [message]);
  }

  /**
   * Reads the rows that may determine the audience, for callers that do not want to wait until the message is loaded.
   * @returns the argument for {@link ofHolders}
   */
  async holdersOf(db: Queryable, messageId: number): Promise<readonly number[]> {
    const rows = await db.query<{ user_id: number }>(HOLDERS, [messageId, messageId, messageId, messageId]);
    return rows.map((row) => row.user_id);
  }

  /** @param holders as returned by {@link holdersOf} */
  ofHolders({ channelId, conversationId }: PlacedMessage, holders: readonly number[]): Audience {
    if (conversationId !== null) return Audience.of(holders);
    const channel = this.channels.byId(channelId ?? 0);
    if (!channel) return Audience.none;
    const subscribers = this.subscriptions.subscribersOf(channel.id);
    if (!channel.isPrivate) return subscribers.union(this.membersAmong(holders, channel.id));
    if (channel.isHistoryPublicToSubscribers) return subscribers;
    return Audience.of(holders.filter((userId) => subscribers.has(userId)));
  }

  /**
   * The union of the audiences of several messages of one channel or conversation. A person who received any message
   * between the first and the last counts as a recipient.
   */
  async ofAll(db: Queryable, messages: readonly PlacedMessage[]): Promise<Audience> {
    const [message] = messages;
    if (!message) return Audience.none;
    if (message.conversationId !== null) {
      const { conversationId } = message;
      const members = await this.conversations.membersOf(db, [conversationId]);
      return Audience.of(members.get(conversationId) ?? []);
    }
    const channel = this.channels.byId(message.channelId ?? 0);
    if (!channel) return Audience.none;
    const subscribers = this.subscriptions.subscribersOf(channel.id);
    if (!channel.isPrivate) return subscribers.union(await this.membersWhoLeft(db, channel.id, messages));
    if (channel.isHistoryPublicToSubscribers) return subscribers;
    const owners = await this.owners(db, messages, { whoLeft: null });
    return Audience.of([...owners].filter((userId) => subscribers.has(userId)));
  }

  /** Users, including former ones, who have the message in their history and have read it; ascending IDs. */
  async readersOf(db: Queryable, message: MessageHead): Promise<number[]> {
    const { id, conversationId } = message;
    const block = blockOf(id);
    const rows = await db.query<OwnerRow>(
      `SELECT o.user_id, w.message_id AS watermark, b.bits FROM (
         SELECT user_id FROM subscription_period
         WHERE channel_id = ? AND first_message_id <= ? AND (last_message_id >= ? OR last_message_id IS NULL)
         UNION SELECT user_id FROM direct_conversation_member WHERE conversation_id = ?
         UNION SELECT user_id FROM message_flag WHERE message_id = ?) o
       LEFT JOIN read_watermark w ON w.user_id = o.user_id
       LEFT JOIN read_block b ON b.user_id = o.user_id AND b.block = ?
       ORDER BY o.user_id`,
      [channelSentTo(message), id, id, conversationId, id, block],
    );
    const hasRead = ({ watermark, bits }: OwnerRow) =>
      new ReadSet(watermark ?? 0, bits === null ? [] : [[block, bits]]).isRead(id);
    return rows.filter(hasRead).map((row) => row.user_id);
  }

  /** Former subscribers who have the message in their history, except guests, who lose access. */
  private async membersWhoLeft(
    db: Queryable,
    channelId: number,
    messages: readonly PlacedMessage[],
  ): Promise<Audience> {
    return this.membersAmong([...(await this.owners(db, messages, { whoLeft: channelId }))], channelId);
  }

  private membersAmong(owners: readonly number[], channelId: number): Audience {
    const subscribers = this.subscriptions.subscribersOf(channelId);
    return Audience.of(
      owners.filter((userId) => {
        const account = this.accounts.byId(userId);
        return account?.isActive && account.role !== Role.guest && !subscribers.has(userId);
      }),
    );
  }

  /**
   * Users who received messages in their channels, or have a row for one.
   * @param whoLeft a channel whose current subscribers are left out: there may be very many
   */
  private async owners(
    db: Queryable,
    messages: readonly PlacedMessage[],
    { whoLeft }: { whoLeft: number | null },
  ): Promise<Set<number>> {
    const owners = new Set<number>();
    for (let at = 0; at < messages.length; at += MESSAGES_PER_STATEMENT) {
      if (at > 0) await nextTurn();
      const some = messages.slice(at, at + MESSAGES_PER_STATEMENT);
      const receiving = [...stretches(some)].map(([channelId, { first, last }]) => {
        const isLater =
          channelId === whoLeft
            ? 'last_message_id >= ?'
            : '(last_message_id >= ? OR last_message_id IS NULL)';
        const sql = `SELECT user_id FROM subscription_period
          WHERE channel_id = ? AND ${isLater} AND first_message_id <= ?`;
        return { sql, values: [channelId, first, last] };
      });
      const rows = await db.query<{ user_id: number }>(
        `${receiving.map(({ sql }) => sql).join(' UNION ')}
         UNION SELECT user_id FROM message_flag WHERE message_id IN (?)`,
        [...receiving.flatMap(({ values }) => values), some.map(({ id }) => id)],
      );
      for (const { user_id: userId } of rows) owners.add(userId);
    }
    return owners;
  }
}

/** The first and last message ID per channel to which the messages were sent. */
function stretches(
  messages: readonly PlacedMessage[],
): Map<number, { readonly first: number; readonly last: number }> {
  const found = new Map<number, { first: number; last: number }>();
  for (const { id, channelId, sentChannelId } of messages) {
    const sentTo = sentChannelId ?? channelId ?? 0;
    const known = found.get(sentTo);
    if (!known) found.set(sentTo, { first: id, last: id });
    else {
      known.first = Math.min(known.first, id);
      known.last = Math.max(known.last, id);
    }
  }
  return found;
}
