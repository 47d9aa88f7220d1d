import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/database/queryable';
import {
  DirectConversationService,
  type FoundMessage,
  mentionsReader,
  MutedMessagesService,
  type UnreadPlaceWire,
} from '../messages';
import type { Requester as Reader } from '../user-groups';
import { conversationPlaceWire, topicPlaceWire } from './flags.wire';

/** Says where messages are that became unread (groups reference 9.5). */
@Injectable()
export class UnreadPlacesService {
  constructor(
    private readonly muted: MutedMessagesService,
    private readonly conversations: DirectConversationService,
  ) {}

  /** By message ID. */
  async of(
    db: Queryable,
    reader: Reader,
    messages: readonly FoundMessage[],
  ): Promise<Record<string, UnreadPlaceWire>> {
    const inChannels = messages.filter(({ message }) => message.channelId !== null);
    const muted = await this.muted.among(
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
}
