import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  ChannelActivityService,
  type ChannelRecord,
  SubscriptionDirectory,
} from '../../channels/channels.module';
import { UserVisibility } from '../../users/users.module';
import { ReadStateService } from '../readers/read-state.service';
import { flagNames } from '../store/message-flags';
import { MessageRecordsService, type NewMessageRecord } from '../store/message-records.service';
import type { MessageRow } from '../store/message-rows.service';
import { messageArrived } from '../store/message-records.api';
import { messageSent, newMessageFields } from '../store/messages.hooks';
import { MessageRecipientsService } from './message-recipients.service';
import { MessageStoreService, type StoredMessage } from './message-store.service';
import { flagsAtSending, planDeliveries, type OutgoingMessage } from './outgoing-message';

/** The destination of a channel message. */
export interface ChannelTarget {
  readonly channel: ChannelRecord;
  /** Normalized. */
  readonly topic: string;
  /** The subscribers, if the directory is not up to date yet. */
  readonly subscribers?: Audience;
  /** Whether the message changes the channel's own row, which requires an exclusive transaction. */
  readonly noteInChannel: boolean;
}

/** A message that was written. */
export interface WrittenMessage {
  readonly messageId: number;
  /** Null for direct messages. */
  readonly topicId: number | null;
  /** Whether it is the first of its topic. */
  readonly startsTopic: boolean;
}

/** A record of a message, and the people who receive it in this form. */
interface AddressedRecord extends NewMessageRecord {
  readonly audience: Audience;
}

/** The recipients of a message. */
interface Reach {
  readonly audience: Audience;
  /** Bots in the audience that are not in the channel. */
  readonly called: readonly number[];
  /** Together they cover the audience; the first one also applies to people outside it. */
  readonly records: readonly AddressedRecord[];
  /** Whether the message is in a public channel. */
  readonly isPublic: boolean;
}

/**
 * Writes messages inside a transaction and delivers them: personal flags, the initial read state, and events. The
 * caller has checked that the message may be sent.
 */
@Injectable()
export class MessageWriterService {
  constructor(
    private readonly activity: ChannelActivityService,
    private readonly store: MessageStoreService,
    private readonly recipients: MessageRecipientsService,
    private readonly records: MessageRecordsService,
    private readonly readState: ReadStateService,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly visibility: UserVisibility,
    private readonly hooks: Hooks,
  ) {}

  /** Writes a message to a channel that {@link ChannelActivityService.lock} locked. */
  async writeToChannel(
    tx: Transaction,
    message: OutgoingMessage,
    target: ChannelTarget,
  ): Promise<WrittenMessage> {
    const place = { channelId: target.channel.id, topicName: target.topic };
    const stored = await this.store.insert(tx, message, place);
    await this.deliverToChannel(tx, message, stored, target);
    const { row, startsTopic } = stored;
    return { messageId: row.id, topicId: row.topicId, startsTopic };
  }

  /** Performs the part of {@link writeToChannel} that follows the insertion of the message. */
  async deliverToChannel(
    tx: Transaction,
    message: OutgoingMessage,
    { row }: StoredMessage,
    { channel, subscribers, noteInChannel }: Omit<ChannelTarget, 'topic'>,
  ): Promise<void> {
    if (noteInChannel) await this.activity.noteMessage(tx, channel, row.id, row.sentAt);

    const inChannel = subscribers ?? this.subscriptions.subscribersOf(channel.id);
    const { mentionedUserIds } = message.rendered;
    const called = this.recipients.botsCalled(channel, inChannel, message.sender.id, mentionedUserIds);
    const audience = called.length > 0 ? inChannel.union(Audience.of(called)) : inChannel;
    const records = await this.channelRecords(tx, row, message, channel.name, audience);
    await this.deliver(tx, message, row, { audience, called, records, isPublic: !channel.isPrivate });
  }

  /** Writes a direct message. @param memberIds all participants including the sender, ascending */
  async writeToConversation(
    tx: Transaction,
    message: OutgoingMessage,
    memberIds: readonly number[],
  ): Promise<WrittenMessage> {
    const { row } = await this.store.insert(tx, message, { memberIds });

    const audience = Audience.of(memberIds);
    const fields = await this.fields(tx, row, message);
    const record = this.records.newRecord(row, message.sender, { memberIds }, fields);
    const records = [{ ...record, audience }];
    await this.deliver(tx, message, row, { audience, called: [], records, isPublic: false });
    return { messageId: row.id, topicId: null, startsTopic: false };
  }

  /** Users who share the channel see the sender; some guests see no other people. */
  private async channelRecords(
    tx: Transaction,
    row: MessageRow,
    message: OutgoingMessage,
    channelName: string,
    audience: Audience,
  ): Promise<AddressedRecord[]> {
    const { sender } = message;
    const fields = await this.fields(tx, row, message);
    const shown = this.records.newRecord(row, sender, { channelName }, fields);
    const blind = audience.has(sender.id)
      ? Audience.none
      : await this.visibility.membersWithoutAccess(tx, audience, sender);
    if (blind.size === 0) return [{ ...shown, audience }];
    const hidden = this.records.newRecord(row, sender, { channelName }, fields, true);
    return [
      { ...shown, audience: audience.without(blind.ids()) },
      { ...hidden, audience: blind },
    ];
  }

  /** The fields that features add to the record of the new message. */
  private async fields(
    tx: Transaction,
    { id: messageId, senderId, content }: MessageRow,
    { widgetContent }: OutgoingMessage,
  ): Promise<object> {
    const message = { messageId, senderId, content, widgetContent };
    return Object.assign({}, ...(await this.hooks.run(newMessageFields, tx, message))) as object;
  }

  private async deliver(
    tx: Transaction,
    message: OutgoingMessage,
    { id: messageId, topicId }: MessageRow,
    { audience, called, records, isPublic }: Reach,
  ): Promise<void> {
    const { sender, limit, rendered, echo } = message;
    const alerted = await this.writeFlags(tx, message, messageId, { audience, called });
    const { flags, exceptions } = flagsAtSending({ ...message, alerted });
    const deliveries = records.flatMap(({ audience: people, ...form }) =>
      planDeliveries(people, flags, exceptions).map((delivery) => ({ ...delivery, ...form })),
    );
    for (const [at, { record, alternatives, ...delivery }] of deliveries.entries()) {
      const event = messageArrived({ message: record, flags: flagNames(delivery.flags) });
      tx.emit(event, delivery.audience, {
        alternatives,
        personal: new Map(
          [...delivery.exceptions].map(([userId, own]) => [userId, { flags: flagNames(own) }]),
        ),
        // People outside the audience receive only one of the events.
        ...(isPublic && at === 0 ? { open: { except: audience.without(delivery.audience.ids()) } } : {}),
        ...(echo ? { queue: { id: echo.queueId, extra: { local_message_id: echo.localId } } } : {}),
      });
    }
    const isDirect = topicId === null;
    const sent = { messageId, sender, limit, rendered, audience, isDirect, topicId, echo };
    await this.hooks.run(messageSent, tx, sent);
  }

  /**
   * Writes rows only for recipients whose flags differ from the default.
   * @returns recipients who have an alert word that occurs in the message
   */
  private async writeFlags(
    tx: Transaction,
    { rendered, alerted, readBy }: OutgoingMessage,
    messageId: number,
    { audience, called }: Pick<Reach, 'audience' | 'called'>,
  ): Promise<ReadonlySet<number>> {
    const among = (userIds: ReadonlySet<number>) => [...userIds].filter((id) => audience.has(id));
    const rows = { mentioned: among(rendered.mentionedUserIds), alerted: among(alerted), called };
    await this.store.insertFlags(tx, messageId, rows);
    const readers = among(readBy);
    if (readers.length > 0) await this.readState.markReadForAll(tx, readers, [messageId]);
    return new Set(rows.alerted);
  }
}
