import { Injectable } from '@nestjs/common';
import { chunksOf } from '../../platform/collections';
import type { Queryable } from '../../platform/sql/queryable';
import { ChannelDirectory, SubscriptionDirectory } from '../channels/channels.module';
import {
  DirectConversationService,
  type FoundMessage,
  mentionsReader,
  MessageAccess,
  type MessagesOfPlace,
  PersonalMessagesService,
  type UnreadPlaceWire,
} from '../messages/messages.module';
import type { Requester as Reader } from '../user-groups/user-groups.module';
import { conversationPlaceWire, topicPlaceWire, type Unread, type UnreadPlace } from './flags.api';

/** Most messages that are told of; the newest ones. */
const MAX_UNREAD = 50_000;

/** Messages that are looked up at a time. */
const MESSAGES_A_TIME = 5000;

type Place = Omit<UnreadPlace, 'isMuted'>;

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
    const places = await this.placed(db, ids);
    const muted = await this.mutedPlaces(db, reader, places);
    return {
      places: places.map((place) => ({ ...place, isMuted: muted.has(place) })),
      mentions: await this.mentionsAmong(db, reader, ids, muted),
      isTruncated: newest.length > MAX_UNREAD,
    };
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

  /** The places of messages, with what they are called. @param messageIds ascending */
  private async placed(db: Queryable, messageIds: readonly number[]): Promise<Place[]> {
    const parts = new Map<string, MessagesOfPlace & { messageIds: number[] }>();
    for (const some of chunksOf(messageIds, MESSAGES_A_TIME)) {
      for (const found of await this.messages.places(db, some)) {
        const sorted = Uint32Array.from(found.messageIds).sort();
        const key = `${found.topicId} ${found.conversationId}`;
        const part = parts.get(key);
        if (part) part.messageIds.push(...sorted);
        else parts.set(key, { ...found, messageIds: [...sorted] });
      }
    }
    const all = [...parts.values()];
    const conversationIds = all.flatMap(({ conversationId }) => conversationId ?? []);
    const members = await this.conversations.membersOf(db, conversationIds);
    return all.map(({ channelId, topicName, conversationId, messageIds: ids }) => ({
      messageIds: ids,
      place:
        channelId === null
          ? { memberIds: members.get(conversationId ?? 0) ?? [] }
          : { channelId, topic: topicName ?? '' },
    }));
  }

  /** Those that the reader has muted: what is true of one message of a place is true of all. */
  private async mutedPlaces(
    db: Queryable,
    reader: Reader,
    places: readonly Place[],
  ): Promise<ReadonlySet<Place>> {
    const muted = new Set<Place>();
    for (const some of chunksOf(places, MESSAGES_A_TIME)) {
      const firsts = some.map(({ messageIds: [first = 0] }) => first);
      const found = await this.messages.mutedAmong(db, reader, firsts);
      for (const place of some) if (found.has(place.messageIds[0] ?? 0)) muted.add(place);
    }
    return muted;
  }

  /** Those that mention the reader, ascending. */
  private async mentionsAmong(
    db: Queryable,
    reader: Reader,
    messageIds: readonly number[],
    muted: ReadonlySet<Place>,
  ): Promise<number[]> {
    const inMuted = new Set([...muted].flatMap((place) => place.messageIds));
    const mentions: number[] = [];
    for (const some of chunksOf(messageIds, MESSAGES_A_TIME)) {
      const possible = await this.messages.mayMention(db, reader.userId, some);
      if (possible.length === 0) continue;
      const found = await this.access.among(db, reader, possible);
      const mentioning = possible.filter((id) =>
        mentionsReader(found.get(id)?.state.flags ?? 0, inMuted.has(id)),
      );
      mentions.push(...mentioning.sort((a, b) => a - b));
    }
    return mentions;
  }
}
