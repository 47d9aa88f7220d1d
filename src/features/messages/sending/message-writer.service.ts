import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { type ChannelRecord, SubscriptionDirectory } from '../../channels';
import { TopicRowsService } from '../../topics';
import { type AccountRecord, UserVisibility } from '../../users';
import { ChannelActivityService } from './channel-activity.service';
import { DirectConversationService } from '../store/direct-conversation.service';
import { MessageDeliveryService, type StoredDelivery } from './message-delivery.service';
import { factsOf } from '../store/message-facts';
import { MessageRecordsService } from '../store/message-records.service';
import type { MessageRow } from '../store/message-rows';
import { MessageStoreService, type MessagePlace } from './message-store.service';
import type { RenderedMarkdown } from '../markdown/render-markdown';
import type { LocalEcho } from '../store/messages.hooks';

/** A message about to be written: checked, normalized and rendered. */
export interface OutgoingMessage {
  readonly sender: AccountRecord;
  readonly clientName: string;
  /** Markdown. */
  readonly content: string;
  readonly rendered: RenderedMarkdown;
  /** Everybody mentioned through a group. */
  readonly groupMembers: ReadonlySet<number>;
  /** Everybody who has an alert word that is in it. */
  readonly alerted: ReadonlySet<number>;
  /** For whom it is read from the start. People in these sets who do not receive it do not matter. */
  readonly readBy: ReadonlySet<number>;
  readonly echo?: LocalEcho;
  /** Now if not given. UNIX seconds. */
  readonly sentAt?: number;
}

/** Where a channel message goes. */
export interface ChannelTarget {
  readonly channel: ChannelRecord;
  /** Normalized. */
  readonly topic: string;
  /** The people whom a topic wildcard in it reaches. */
  readonly topicParticipants: ReadonlySet<number>;
  /** The subscribers, where the directory does not show them yet. */
  readonly subscribers?: Audience;
  /** Whether the channel's own row takes note of the message, which needs an exclusive transaction. */
  readonly noteInChannel: boolean;
}

/** Where a message is inserted. */
interface InsertedPlace {
  readonly place: MessagePlace;
  /** Null for direct messages. */
  readonly topicName: string | null;
  readonly topicParticipants: ReadonlySet<number>;
}

/** A message that was written, and whom it reaches. */
interface Reach {
  readonly messageId: number;
  readonly records: StoredDelivery['records'];
  readonly audience: Audience;
  /** Null for direct messages. */
  readonly topicId: number | null;
  /** Whether it is one of a public channel. */
  readonly isPublic: boolean;
  /** The people whom a topic wildcard in it reaches. */
  readonly topicParticipants: ReadonlySet<number>;
}

/** What became of a message. */
export interface WrittenMessage {
  readonly messageId: number;
  /** Whether it is the first of its topic. */
  readonly startsTopic: boolean;
}

const NOBODY: ReadonlySet<number> = new Set();

/** Writes messages inside a transaction. Whoever calls it has checked that the message may be sent. */
@Injectable()
export class MessageWriterService {
  constructor(
    private readonly activity: ChannelActivityService,
    private readonly topics: TopicRowsService,
    private readonly conversations: DirectConversationService,
    private readonly store: MessageStoreService,
    private readonly records: MessageRecordsService,
    private readonly delivery: MessageDeliveryService,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly visibility: UserVisibility,
    private readonly clock: Clock,
  ) {}

  /** Writes a message to a channel that {@link ChannelActivityService.lock} holds. */
  async writeToChannel(
    tx: Transaction,
    message: OutgoingMessage,
    target: ChannelTarget,
  ): Promise<WrittenMessage> {
    const { channel, topicParticipants } = target;
    const topic = await this.topics.openForMessage(tx, channel.id, target.topic);
    const place = { channelId: channel.id, topicId: topic.id };
    const row = await this.insert(tx, message, { place, topicName: target.topic, topicParticipants });
    await this.topics.closeWithMessage(tx, topic.id, row.id);
    if (target.noteInChannel) await this.activity.noteMessage(tx, channel, row.id, row.sentAt);
    const audience = target.subscribers ?? this.subscriptions.subscribersOf(channel.id);
    await this.deliver(tx, message, {
      messageId: row.id,
      records: await this.channelRecords(tx, row, message.sender, { channelName: channel.name, audience }),
      audience,
      topicId: topic.id,
      isPublic: !channel.isPrivate,
      topicParticipants,
    });
    return { messageId: row.id, startsTopic: topic.isNew };
  }

  /** Writes a direct message. @param memberIds everybody in the conversation, the sender included, ascending */
  async writeToConversation(
    tx: Transaction,
    message: OutgoingMessage,
    memberIds: readonly number[],
  ): Promise<WrittenMessage> {
    const conversation = await this.conversations.open(tx, memberIds);
    const place = { conversationId: conversation.id };
    const row = await this.insert(tx, message, { place, topicName: null, topicParticipants: NOBODY });
    await this.conversations.close(tx, conversation.id, row.id);
    const audience = Audience.of(memberIds);
    const record = this.records.newRecord(row, message.sender, { memberIds });
    await this.deliver(tx, message, {
      messageId: row.id,
      records: [{ ...record, audience }],
      audience,
      topicId: null,
      isPublic: false,
      topicParticipants: NOBODY,
    });
    return { messageId: row.id, startsTopic: false };
  }

  /** Whoever shares the channel with the sender sees the sender; some guests see nobody else. */
  private async channelRecords(
    tx: Transaction,
    row: MessageRow,
    sender: AccountRecord,
    { channelName, audience }: { readonly channelName: string; readonly audience: Audience },
  ): Promise<StoredDelivery['records']> {
    const shown = this.records.newRecord(row, sender, { channelName });
    const blind = audience.has(sender.id)
      ? Audience.nobody
      : await this.visibility.blindAmong(tx, audience, sender);
    if (blind.size === 0) return [{ ...shown, audience }];
    const hidden = this.records.newRecord(row, sender, { channelName }, true);
    return [
      { ...shown, audience: audience.without(blind.ids()) },
      { ...hidden, audience: blind },
    ];
  }

  private async insert(
    tx: Transaction,
    message: OutgoingMessage,
    { place, topicName, topicParticipants }: InsertedPlace,
  ): Promise<MessageRow> {
    const row = {
      senderId: message.sender.id,
      content: message.content,
      renderedContent: message.rendered.html,
      clientName: message.clientName,
      sentAt: message.sentAt ?? this.clock.nowSeconds(),
      facts: factsOf(message.rendered),
    };
    const { groupMembers } = message;
    const id = await this.store.insert(tx, { ...row, place, groupMembers, topicParticipants });
    return {
      id,
      ...row,
      channelId: null,
      topicId: null,
      conversationId: null,
      ...place,
      sentChannelId: null,
      topicName,
      lastEditedAt: null,
      lastMovedAt: null,
      groupMentionSetId: null,
      topicMentionSetId: null,
    };
  }

  private deliver(
    tx: Transaction,
    message: OutgoingMessage,
    { messageId, records, audience, topicId, isPublic, topicParticipants }: Reach,
  ): Promise<void> {
    const { sender, rendered, groupMembers, alerted, readBy, echo } = message;
    const concerned = {
      channelWildcard: rendered.channelWildcard,
      mentioned: rendered.mentionedUserIds,
      groupMembers,
      topicParticipants,
      alerted,
      readBy,
    };
    return this.delivery.deliver(tx, {
      messageId,
      sender,
      rendered,
      records,
      audience,
      topicId,
      concerned,
      isPublic,
      echo,
    });
  }
}
