import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { ChannelAccess, ChannelDirectory, type ChannelRecord } from '../../channels/channels.module';
import type { Requester as Reader } from '../../user-groups/user-groups.module';
import { DirectConversationService } from '../store/direct-conversation.service';
import {
  loadChannelIds,
  loadIds,
  loadMessageHeads,
  loadMessages,
  MAX_MESSAGE_ID,
  type MessageHead,
  type MessageRow,
} from '../store/message-rows.service';
import { InvalidMessage } from '../store/message-records.api';
import { allOf, anyOf, condition, isOwn, NEVER, type SqlCondition } from '../store/personal-conditions';
import { PersonalFlagsService, type PersonalState } from './personal-flags.service';

/** A message that the reader may see. */
export interface ReadableMessage {
  readonly message: MessageRow;
  /** Whether the reader received it, starred it, or otherwise interacted with it. */
  readonly isOwn: boolean;
}

/** A message of a batch, whether or not the reader may see it, and its relation to the reader. */
export interface FoundMessage {
  readonly message: MessageHead;
  readonly state: PersonalState;
  readonly isReadable: boolean;
  /** Whether the reader may know that it exists: it is in their history, or they see it or its channel. */
  readonly isKnown: boolean;
}

/** The result of looking up a batch of messages. */
export class FoundMessages {
  constructor(private readonly messages: ReadonlyMap<number, FoundMessage>) {}

  /** Undefined for unknown IDs, and for direct messages between other people. */
  get(messageId: number): FoundMessage | undefined {
    return this.messages.get(messageId);
  }

  /** @throws InvalidMessage for a message that the reader may not see, or that does not exist */
  readable(messageId: number): FoundMessage {
    const found = this.messages.get(messageId);
    if (!found?.isReadable) throw new InvalidMessage();
    return found;
  }
}

const NONE: ReadonlySet<number> = new Set();

/** Decides who may see and change which message. Other features load messages only through it. */
@Injectable()
export class MessageAccess {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly channelAccess: ChannelAccess,
    private readonly conversations: DirectConversationService,
    private readonly personalFlags: PersonalFlagsService,
  ) {}

  /**
   * Loads a message for reading.
   * @param reader null for a person without an account
   * @throws InvalidMessage for an unknown message and for one that the reader cannot see
   */
  async forReading(db: Queryable, reader: Reader | null, messageId: number): Promise<ReadableMessage> {
    const [[message], own] = await Promise.all([
      loadMessages(db, [messageId]),
      reader === null ? NONE : this.ownAmong(db, reader.userId, [messageId]),
    ]);
    const isOwn = own.has(messageId);
    if (!message || !this.isWithinReach(reader, message, isOwn)) throw new InvalidMessage();
    return { message, isOwn };
  }

  /** Loads a message for a change; refuses messages of archived channels. @throws InvalidMessage */
  async forChanging(db: Queryable, reader: Reader, messageId: number): Promise<ReadableMessage> {
    const readable = await this.forReading(db, reader, messageId);
    const { channelId } = readable.message;
    if (channelId !== null && this.channels.byId(channelId)?.isArchived) throw new InvalidMessage();
    return readable;
  }

  /** Looks up a batch of messages for a reader. @param messageIds any numbers */
  async among(db: Queryable, reader: Reader, messageIds: readonly number[]): Promise<FoundMessages> {
    const messages = await loadMessageHeads(db, messageIds);
    const states = await this.personalFlags.states(db, reader, messages);
    const conversations = await this.conversations.ofMember(
      db,
      reader.userId,
      messages.flatMap(({ conversationId }) => conversationId ?? []),
    );
    const found = new Map<number, FoundMessage>();
    for (const message of messages) {
      const { channelId, conversationId } = message;
      const state = states.get(message.id);
      if (!state || (conversationId !== null && !conversations.has(conversationId))) continue;
      if (this.channelAccess.isBeyondLimit(reader, channelId)) continue;
      const isReadable = channelId === null || this.isInReach(reader, channelId, state.isOwn);
      const isKnown = isReadable || state.isOwn || this.isChannelSeen(reader, channelId);
      found.set(message.id, { message, state, isReadable, isKnown });
    }
    return new FoundMessages(found);
  }

  /**
   * The messages that a person has in their history, visible or not. Costs a quarter of {@link among}, which matters
   * when thousands are marked as read. @param messageIds any numbers
   */
  async ownAmong(db: Queryable, userId: number, messageIds: readonly number[]): Promise<ReadonlySet<number>> {
    return new Set(await loadIds(db, messageIds, isOwn(userId)));
  }

  /** The channels that contain the messages. @param messageIds any numbers */
  channelsOf(db: Queryable, messageIds: readonly number[]): Promise<number[]> {
    return loadChannelIds(db, messageIds);
  }

  /**
   * The rule of {@link forReading} as a condition on messages `m`, for features that search for such a message.
   * @param channelIds channels of the messages in question; messages of other channels count as not visible
   */
  withinReach(reader: Reader | null, channelIds: readonly number[]): SqlCondition {
    const reached = channelIds
      .map((id) => this.channels.byId(id))
      .filter((channel) => channel !== undefined)
      .filter((channel) => this.channelAccess.hasContentAccess(reader, channel));
    const within = (channels: readonly ChannelRecord[]) =>
      condition(
        'm.channel_id IN (?)',
        channels.map(({ id }) => id),
      );
    const open = within(reached.filter((channel) => channel.isHistoryPublicToSubscribers));
    if (reader === null) return open;
    const direct = reader.limit?.channelIds ? NEVER : condition('m.conversation_id IS NOT NULL');
    return anyOf(open, allOf(anyOf(direct, within(reached)), isOwn(reader.userId)));
  }

  /**
   * Whether the reader sees any message of a topic.
   * @param newest the newest message to consider
   */
  async seesTopic(
    db: Queryable,
    reader: Reader,
    { id, channelId }: { readonly id: number; readonly channelId: number },
    newest = MAX_MESSAGE_ID,
  ): Promise<boolean> {
    const reach = this.withinReach(reader, [channelId]);
    const sql = `SELECT m.id FROM message m WHERE m.topic_id = ? AND m.id <= ? AND (${reach.sql}) LIMIT 1`;
    return (await db.query(sql, [id, newest, ...reach.values])).length > 0;
  }

  /** Direct messages are accessible to everyone in the conversation. */
  private isWithinReach(reader: Reader | null, { channelId }: MessageRow, isOwn: boolean): boolean {
    if (reader !== null && this.channelAccess.isBeyondLimit(reader, channelId)) return false;
    return channelId === null ? isOwn : this.isInReach(reader, channelId, isOwn);
  }

  /** In a channel with protected history, people see only messages that they received. */
  private isInReach(reader: Reader | null, channelId: number, isOwn: boolean): boolean {
    const channel = this.channels.byId(channelId);
    if (!channel || !this.channelAccess.hasContentAccess(reader, channel)) return false;
    return channel.isHistoryPublicToSubscribers || isOwn;
  }

  private isChannelSeen(reader: Reader, channelId: number | null): boolean {
    const channel = channelId === null ? undefined : this.channels.byId(channelId);
    return channel !== undefined && this.channelAccess.hasMetadataAccess(reader, channel);
  }
}
