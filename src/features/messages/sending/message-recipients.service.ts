import { Injectable } from '@nestjs/common';
import { BotType } from '../../../platform/actor';
import type { Audience } from '../../../platform/events/audience';
import type { Queryable } from '../../../platform/sql/queryable';
import { ChannelAccess, type ChannelRecord } from '../../channels/channels.module';
import { AccountDirectory } from '../../users/users.module';
import { DirectConversationService } from '../store/direct-conversation.service';
import type { PlacedMessage } from '../readers/message-audience.service';
import { Flag } from '../store/message-flags';
import { channelSentTo } from '../store/message-rows.service';

/** Knows who has a message in their history: recipients, and users with a row for it. */
@Injectable()
export class MessageRecipientsService {
  constructor(
    private readonly conversations: DirectConversationService,
    private readonly accounts: AccountDirectory,
    private readonly channelAccess: ChannelAccess,
  ) {}

  /**
   * Bots outside a public channel that a message mentions by name. They receive it as well: most bots wait for mentions
   * and are not subscribed everywhere. Webhook bots get the call, and the sender knows.
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

  /** Those of the people who received the message or have a row for it. */
  async among(db: Queryable, message: PlacedMessage, userIds: Iterable<number>): Promise<number[]> {
    const asked = [...userIds];
    if (asked.length === 0) return [];
    const received = await this.received(db, message, asked);
    const stored = await this.storedFlags(db, message.id);
    return asked.filter((userId) => received.has(userId) || stored.has(userId));
  }

  /** Those of the people who received the message where it was sent. */
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

  /** By user ID, the flags of everybody who has a row for the message. */
  async storedFlags(db: Queryable, messageId: number): Promise<ReadonlyMap<number, number>> {
    const rows = await db.query<{ user_id: number; flags: number }>(
      'SELECT user_id, flags FROM message_flag WHERE message_id = ?',
      [messageId],
    );
    return new Map(rows.map((row) => [row.user_id, row.flags]));
  }
}
