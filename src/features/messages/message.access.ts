import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/database/queryable';
import { ChannelAccess } from '../channels/channel.access';
import { ChannelDirectory, type ChannelRecord } from '../channels/channel.directory';
import type { Requester as Reader } from '../user-groups/permission.service';
import { DirectConversationService } from './direct-conversation.service';
import { loadMessages, type MessageRow } from './message-rows';
import { InvalidMessage } from './messages.errors';
import { isOwn } from './narrow/personal-conditions';
import { allOf, anyOf, condition, type SqlCondition } from './narrow/sql-condition';
import { PersonalFlagsService, type PersonalState } from './personal-flags.service';

/** A message that the reader may see, and what he has to do with it. */
export interface ReadableMessage {
  readonly message: MessageRow;
  readonly state: PersonalState;
}

/** Decides who may see and change which message (messages reference 4.6). The only way in for other features. */
@Injectable()
export class MessageAccess {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly channelAccess: ChannelAccess,
    private readonly conversations: DirectConversationService,
    private readonly personalFlags: PersonalFlagsService,
  ) {}

  /**
   * @param reader null for somebody without an account
   * @throws InvalidMessage for an unknown message and for one out of reach
   */
  async forReading(db: Queryable, reader: Reader | null, messageId: number): Promise<ReadableMessage> {
    const [message] = await loadMessages(db, [messageId]);
    if (!message) throw new InvalidMessage();
    const state = (await this.personalFlags.states(db, reader, [message])).get(messageId);
    if (!state || !(await this.isWithinReach(db, reader, message, state))) throw new InvalidMessage();
    return { message, state };
  }

  /** The same for a change: what is in an archived channel stays as it is. @throws InvalidMessage */
  async forChanging(db: Queryable, reader: Reader, messageId: number): Promise<ReadableMessage> {
    const readable = await this.forReading(db, reader, messageId);
    const { channelId } = readable.message;
    if (channelId !== null && this.channels.byId(channelId)?.isArchived) throw new InvalidMessage();
    return readable;
  }

  /**
   * The rule of {@link forReading} as a condition on messages `m`, for features that look for one such message among
   * many.
   * @param channelIds channels of the messages in question; what is in others counts as out of reach
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
    const direct = condition('m.conversation_id IS NOT NULL');
    return anyOf(open, allOf(anyOf(direct, within(reached)), isOwn(reader.userId)));
  }

  /** Of a channel with protected history, people see only what they received. */
  private async isWithinReach(
    db: Queryable,
    reader: Reader | null,
    { channelId, conversationId }: MessageRow,
    state: PersonalState,
  ): Promise<boolean> {
    if (conversationId !== null) {
      return reader !== null && this.conversations.isMember(db, conversationId, reader.userId);
    }
    const channel = channelId === null ? undefined : this.channels.byId(channelId);
    if (!channel || !this.channelAccess.hasContentAccess(reader, channel)) return false;
    return channel.isHistoryPublicToSubscribers || state.isOwn;
  }
}
