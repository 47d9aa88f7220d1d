import { Injectable } from '@nestjs/common';
import { chunksOf } from '../../platform/collections';
import type { Queryable } from '../../platform/sql/queryable';
import { ChannelDirectory, SubscriptionDirectory } from '../channels/channels.module';
import {
  DirectConversationService,
  type FoundMessage,
  mentionsReader,
  MessageAccess,
  PersonalMessagesService,
  type UnreadPlaceWire,
} from '../messages/messages.module';
import type { Requester as Reader } from '../user-groups/user-groups.module';
import { conversationPlaceWire, topicPlaceWire, type Unread, type UnreadMessage } from './flags.api';

/** Most messages that are told of; the newest ones. */
const MAX_UNREAD = 50_000;

/** Messages that are looked up at a time. */
const MESSAGES_A_TIME = 5000;

/** Knows what people have not read, and where it is. */
@Injectable()
export class UnreadService {
  constructor(
    private readonly messages: PersonalMessagesService,
    private readonly access: MessageAccess,
    private readonly conversations: DirectConversationService,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly channels: ChannelDirectory,
  ) {}

  /**
   * The newest unread messages in direct conversations and in channels that the reader is subscribed to.
   * @param archived whether those in archived channels count
   */
  async of(db: Queryable, reader: Reader, { archived }: { readonly archived: boolean }): Promise<Unread> {
    const channelIds = [...this.subscriptions.channelsOf(reader.userId)].filter(
      (id) => archived || !this.channels.byId(id)?.isArchived,
    );
    const newest = await this.messages.newestUnread(db, reader.userId, channelIds, MAX_UNREAD + 1);
    const ids = newest.slice(0, MAX_UNREAD).sort((a, b) => a - b);
    const messages: UnreadMessage[] = [];
    for (const some of chunksOf(ids, MESSAGES_A_TIME))
      messages.push(...(await this.describe(db, reader, some)));
    return { messages, isTruncated: newest.length > MAX_UNREAD };
  }

  /** Where messages are that became unread, by message ID. */
  async placesOf(
    db: Queryable,
    reader: Reader,
    messages: readonly FoundMessage[],
  ): Promise<Record<string, UnreadPlaceWire>> {
    const inChannels = messages.filter(({ message }) => message.channelId !== null);
    const muted = await this.messages.mutedAmong(
      db,
      reader,
      inChannels.map(({ message }) => message.id),
    );
    const conversationIds = messages.flatMap(({ message }) => message.conversationId ?? []);
    const members = await this.conversations.membersOf(db, conversationIds);
    const place = ({ message, state }: FoundMessage): UnreadPlaceWire => {
      const { id, channelId, conversationId } = message;
      const isMuted = muted.has(id);
      const isMentioned = mentionsReader(state.flags, isMuted);
      if (channelId !== null)
        return topicPlaceWire(channelId, message.topicName ?? '', { isMuted, isMentioned });
      const everybody = members.get(conversationId ?? 0) ?? [];
      return conversationPlaceWire(
        everybody.filter((userId) => userId !== reader.userId),
        isMentioned,
      );
    };
    return Object.fromEntries(messages.map((found) => [String(found.message.id), place(found)]));
  }

  private async describe(
    db: Queryable,
    reader: Reader,
    messageIds: readonly number[],
  ): Promise<UnreadMessage[]> {
    const found = await this.access.among(db, reader, messageIds);
    const messages = messageIds.flatMap((id) => found.get(id) ?? []);
    const muted = await this.messages.mutedAmong(db, reader, messageIds);
    const conversationIds = messages.flatMap(({ message }) => message.conversationId ?? []);
    const members = await this.conversations.membersOf(db, conversationIds);
    return messages.map(({ message, state }: FoundMessage) => {
      const { id, channelId, topicName, conversationId } = message;
      const isMuted = muted.has(id);
      const isMentioned = mentionsReader(state.flags, isMuted);
      const place =
        channelId === null
          ? { memberIds: members.get(conversationId ?? 0) ?? [] }
          : { channelId, topic: topicName ?? '' };
      return { id, isMuted, isMentioned, place };
    });
  }
}
