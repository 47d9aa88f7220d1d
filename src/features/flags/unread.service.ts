import { Injectable } from '@nestjs/common';
import { conversationPlaceWire, topicPlaceWire, type Unread, unreadWire } from './flags.api';
import { initialState, stateFor } from '../../platform/client-state/initial-state.hooks';
import { chunksOf } from '../../platform/collections';
import { Hooks } from '../../platform/hooks/hooks';
import type { Queryable } from '../../platform/sql/queryable';
import { ChannelDirectory, SubscriptionDirectory } from '../channels/channels.module';
import {
  DirectConversationService,
  type FoundMessage,
  mentionsReader,
  MessageAccess,
  PersonalMessagesService,
  type UnreadMessages,
  UnreadPlacesService,
  type UnreadPlaceWire,
} from '../messages/messages.module';
import { OrganizationDirectory } from '../organization-settings/organization-settings.module';
import type { Requester as Reader } from '../user-groups/user-groups.module';

/** Maximum number of messages to report; the newest ones. */
const MAX_UNREAD = 50_000;

/** Maximum number of messages looked up at a time. */
const MESSAGES_A_TIME = 5000;

/** Finds people's unread messages, and their places. */
@Injectable()
export class UnreadService {
  constructor(
    private readonly unread: UnreadPlacesService,
    private readonly messages: PersonalMessagesService,
    private readonly access: MessageAccess,
    private readonly conversations: DirectConversationService,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly channels: ChannelDirectory,
  ) {}

  /**
   * The newest unread messages in direct conversations and in channels that the reader is subscribed to.
   * @param archived whether to include those in archived channels
   */
  async of(db: Queryable, reader: Reader, { archived }: { readonly archived: boolean }): Promise<Unread> {
    const channelIds = [...this.subscriptions.channelsOf(reader.userId)].filter(
      (id) => archived || !this.channels.byId(id)?.isArchived,
    );
    const { places, isTruncated } = await this.unread.newest(db, reader.userId, channelIds, MAX_UNREAD);
    const muted = await this.mutedPlaces(db, reader, places);
    const members = await this.conversations.membersOf(
      db,
      places.flatMap(({ conversationId }) => conversationId ?? []),
    );
    return {
      places: places.map((one) => ({
        count: one.count,
        messageIds: one.messageIds,
        isMuted: muted.has(one),
        place:
          one.channelId === null
            ? { memberIds: members.get(one.conversationId ?? 0) ?? [] }
            : { channelId: one.channelId, topic: one.topicName ?? '' },
      })),
      mentions: await this.mentionsAmong(db, reader, places, muted),
      isTruncated,
    };
  }

  /** The places of messages that became unread, by message ID. */
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

  /** The places that the reader muted: all messages of a place agree, so checking one is enough. */
  private async mutedPlaces(
    db: Queryable,
    reader: Reader,
    places: readonly UnreadMessages[],
  ): Promise<ReadonlySet<UnreadMessages>> {
    const muted = new Set<UnreadMessages>();
    const firstOf = ({ messageIds }: UnreadMessages) => Number.parseInt(messageIds, 10);
    for (const some of chunksOf(places, MESSAGES_A_TIME)) {
      const found = await this.messages.mutedAmong(db, reader, some.map(firstOf));
      for (const place of some) if (found.has(firstOf(place))) muted.add(place);
    }
    return muted;
  }

  /** Filters messages down to those that mention the reader, ascending. */
  private async mentionsAmong(
    db: Queryable,
    reader: Reader,
    places: readonly UnreadMessages[],
    muted: ReadonlySet<UnreadMessages>,
  ): Promise<number[]> {
    const possible = places.flatMap((place) =>
      place.mayMention.map((id) => ({ id, isMuted: muted.has(place) })),
    );
    const mentions: number[] = [];
    for (const some of chunksOf(possible, MESSAGES_A_TIME)) {
      const ids = some.map(({ id }) => id);
      const found = await this.access.among(db, reader, ids);
      const mentioning = some.filter(({ id, isMuted }) =>
        mentionsReader(found.get(id)?.state.flags ?? 0, isMuted),
      );
      mentions.push(...mentioning.map(({ id }) => id));
    }
    return mentions.sort((a, b) => a - b);
  }
}

const NOTHING: Unread = { places: [], mentions: [], isTruncated: false };

/** Initial state for clients: unread and starred messages. */
@Injectable()
export class FlagsStateService {
  constructor(
    unread: UnreadService,
    messages: PersonalMessagesService,
    organization: OrganizationDirectory,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor(['update_message_flags', 'message'], async (db, { reader, capabilities }) => {
        // A client that does not support archived channels would count messages that it cannot show.
        const archived = capabilities.has('archived_channels');
        const showsEmpty = capabilities.has('empty_topic_name');
        const displayName = organization.settings.empty_topic_display_name;
        const shownTopic = (topic: string) => (showsEmpty ? topic : topic || displayName);
        const found = reader ? await unread.of(db, reader, { archived }) : NOTHING;
        return { unread_msgs: unreadWire(found, reader?.userId ?? 0, shownTopic) };
      }),
    );
    hooks.on(
      initialState,
      stateFor('starred_messages', async (db, { reader }) => ({
        starred_messages: reader ? await messages.starred(db, reader) : [],
      })),
    );
  }
}
