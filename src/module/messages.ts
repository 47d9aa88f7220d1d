import { Injectable } from '@nestjs/common';
import type { Actor } from '../platform/actor';
import { type Transaction, TransactionService } from '../platform/database/transaction.service';
import type { Queryable } from '../platform/sql/queryable';
import { ChannelDirectory, InvalidChannelId } from '../features/channels/channels.module';
import {
  loadMessages,
  MessageAccess,
  SendMessageService,
  SystemMessageService,
} from '../features/messages/messages.module';
import { ReactionsService } from '../features/reactions/reactions.module';

/** A message as exposed to modules. */
export interface MessageInfo {
  readonly id: number;
  readonly senderId: number;
  /** Null for a direct message. */
  readonly channelId: number | null;
  /** Empty for the empty topic, and for a direct message. */
  readonly topic: string;
  /** Markdown. */
  readonly content: string;
  /** HTML. */
  readonly rendered: string;
  /** UNIX seconds. */
  readonly sentAt: number;
}

/** A reaction. */
export interface ReactionInfo {
  readonly userId: number;
  /** Such as `tada`. */
  readonly emoji: string;
}

/** Destination of a message: a topic of a channel, or people. */
export type MessagePlace =
  { readonly channelId: number; readonly topic: string } | { readonly userIds: readonly number[] };

/** Work done in the transaction that writes a message; both happen or neither does. */
export type Alongside = (tx: Transaction, messageId: number) => Promise<void>;

/** Sending and reading messages. */
@Injectable()
export class Messages {
  constructor(
    private readonly access: MessageAccess,
    private readonly sending: SendMessageService,
    private readonly system: SystemMessageService,
    private readonly reacting: ReactionsService,
    private readonly channels: ChannelDirectory,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * A message that the actor may read.
   * @throws ApiError, the same for a message that is out of reach and for one that does not exist
   */
  async readable(db: Queryable, actor: Actor, id: number): Promise<MessageInfo> {
    return info((await this.access.forReading(db, actor, id)).message);
  }

  /** The message with this ID; null if there is none. Does not check access. */
  async find(db: Queryable, id: number): Promise<MessageInfo | null> {
    const [message] = await loadMessages(db, [id]);
    return message ? info(message) : null;
  }

  /** The reactions to a message, oldest first. */
  async reactions(db: Queryable, messageId: number): Promise<readonly ReactionInfo[]> {
    const reactions = await this.reacting.on(db, messageId);
    return reactions.map(({ user_id, emoji_name }) => ({ userId: user_id, emoji: emoji_name }));
  }

  /**
   * Sends a message as a user, with that user's permissions.
   * @returns its ID
   * @throws ApiError as for `POST /messages`
   */
  async send(actor: Actor, place: MessagePlace, content: string, alongside?: Alongside): Promise<number> {
    const isDirect = 'userIds' in place;
    const { id } = await this.sending.send(
      actor,
      {
        kind: isDirect ? 'direct' : 'channel',
        to: JSON.stringify(isDirect ? place.userIds : place.channelId),
        topic: isDirect ? undefined : place.topic,
        content: { content },
        isMirrored: false,
        isForged: false,
      },
      alongside && ((tx, sent) => alongside(tx, sent.id)),
    );
    return id;
  }

  /**
   * Sends a message as the notification bot, which may write anywhere.
   * @returns the ID of the message
   */
  notify(
    place: { readonly channelId: number; readonly topic: string } | { readonly userId: number },
    content: string,
    alongside?: Alongside,
  ): Promise<number> {
    return this.transactions.runExclusive(async (tx) => {
      const id = await this.writeNotice(tx, place, content);
      await alongside?.(tx, id);
      return id;
    });
  }

  private writeNotice(
    tx: Transaction,
    place: { readonly channelId: number; readonly topic: string } | { readonly userId: number },
    content: string,
  ): Promise<number> {
    if ('userId' in place) return this.system.sendToPerson(tx, 'notification-bot', place.userId, { content });
    const channel = this.channels.byId(place.channelId);
    if (!channel || channel.isArchived) throw new InvalidChannelId();
    return this.system.sendToChannel(tx, 'notification-bot', { channel, topic: place.topic }, { content });
  }
}

function info(message: Awaited<ReturnType<typeof loadMessages>>[number]): MessageInfo {
  const { id, senderId, channelId, topicName, content, renderedContent: rendered, sentAt } = message;
  return { id, senderId, channelId, topic: topicName ?? '', content, rendered, sentAt };
}
