import { Injectable } from '@nestjs/common';
import { Role } from '../../platform/actor';
import type { Queryable } from '../../platform/database/queryable';
import { Audience } from '../../platform/events/audience';
import { ChannelDirectory } from '../channels/channel.directory';
import { SubscriptionDirectory } from '../channels/subscription.directory';
import { AccountDirectory } from '../users/account.directory';
import { DirectConversationService } from './direct-conversation.service';
import type { MessageRow } from './message-rows';

/** Knows who is told of what happens to a message after it was sent, such as reactions (groups reference 8.6). */
@Injectable()
export class MessageAudienceService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly accounts: AccountDirectory,
    private readonly conversations: DirectConversationService,
  ) {}

  /** The same object as for the channel's other messages, where it is just its subscribers. */
  async of(db: Queryable, message: MessageRow): Promise<Audience> {
    if (message.conversationId !== null) {
      const { conversationId } = message;
      const members = await this.conversations.membersOf(db, [conversationId]);
      return Audience.of(members.get(conversationId) ?? []);
    }
    const channel = this.channels.byId(message.channelId ?? 0);
    if (!channel) return Audience.nobody;
    const subscribers = this.subscriptions.subscribersOf(channel.id);
    if (!channel.isPrivate) return subscribers.union(await this.membersWhoLeft(db, message));
    if (channel.isHistoryPublicToSubscribers) return subscribers;
    const owners = await this.owners(db, message, { whoLeft: false });
    return Audience.of(owners.filter((userId) => subscribers.has(userId)));
  }

  /** Those who have the message in their history without being subscribed; guests may not see it any more. */
  private async membersWhoLeft(db: Queryable, message: MessageRow): Promise<Audience> {
    const isInFirstChannel = message.sentChannelId === null || message.sentChannelId === message.channelId;
    const owners = await this.owners(db, message, { whoLeft: isInFirstChannel });
    const subscribers = this.subscriptions.subscribersOf(message.channelId ?? 0);
    return Audience.of(
      owners.filter((userId) => {
        const account = this.accounts.byId(userId);
        return account?.isActive && account.role !== Role.guest && !subscribers.has(userId);
      }),
    );
  }

  /**
   * Those who received the message in the channel it was sent to, or have a row for it.
   * @param whoLeft leaves out who still is in that channel: there may be very many of them
   */
  private async owners(
    db: Queryable,
    { id, channelId, sentChannelId }: MessageRow,
    { whoLeft }: { whoLeft: boolean },
  ): Promise<number[]> {
    const isLater = whoLeft ? 'last_message_id >= ?' : '(last_message_id >= ? OR last_message_id IS NULL)';
    const rows = await db.query<{ user_id: number }>(
      `SELECT user_id FROM subscription_period
       WHERE channel_id = ? AND ${isLater} AND first_message_id <= ?
       UNION SELECT user_id FROM message_flag WHERE message_id = ?`,
      [sentChannelId ?? channelId, id, id, id],
    );
    return rows.map((row) => row.user_id);
  }
}
