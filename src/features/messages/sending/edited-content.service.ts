import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { ChannelDirectory, SubscriptionDirectory } from '../../channels/channels.module';
import { HistoricalMessageService } from '../readers/historical-message.service';
import type { PlacedMessage } from '../readers/message-audience.service';
import type { MessageRow } from '../store/message-rows.service';
import { MessageRecipientsService } from './message-recipients.service';
import { MessageStoreService, type ReplacingContent } from './message-store.service';

/** A message, as far as it decides whom new content concerns. */
type SentPlacedMessage = PlacedMessage & Pick<MessageRow, 'senderId'>;

/** Writes new content of messages, and whom it concerns now. */
@Injectable()
export class EditedContentService {
  constructor(
    private readonly store: MessageStoreService,
    private readonly recipients: MessageRecipientsService,
    private readonly history: HistoricalMessageService,
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscriptionDirectory,
  ) {}

  /**
   * What people have read stays read: only flags say that they are mentioned now, or are no more.
   * @returns recipients whom the message mentions by name now and did not before
   */
  async replace(
    tx: Transaction,
    message: SentPlacedMessage,
    next: ReplacingContent,
  ): Promise<ReadonlySet<number>> {
    const { rendered, alerted } = next;
    await this.store.replaceContent(tx, message.id, next);
    await this.letIn(tx, message, rendered.mentionedUserIds);
    const mentioned = await this.recipients.among(tx, message, rendered.mentionedUserIds);
    const mentionedBefore = await this.store.mentionedAmong(tx, message.id, mentioned);
    await this.store.replaceFlags(tx, message.id, {
      mentioned,
      alerted: await this.recipients.among(tx, message, alerted),
    });
    return new Set(mentioned.filter((userId) => !mentionedBefore.has(userId)));
  }

  /**
   * Subscribers who came after the message was sent, and can see it, have it in their history once it mentions them, and
   * so have bots that a message to a public channel reaches from outside.
   */
  private async letIn(
    tx: Transaction,
    message: SentPlacedMessage,
    mentioned: ReadonlySet<number>,
  ): Promise<void> {
    const channel = this.channels.byId(message.channelId ?? 0);
    if (!channel?.isHistoryPublicToSubscribers) return;
    const recipients = new Set(await this.recipients.among(tx, message, mentioned));
    const subscribers = this.subscriptions.subscribersOf(channel.id);
    const called = this.recipients.botsCalled(channel, subscribers, message.senderId, mentioned);
    const subscribed = [...mentioned].filter((userId) => subscribers.has(userId));
    for (const userId of [...subscribed, ...called]) {
      if (!recipients.has(userId)) await this.history.enter(tx, userId, [message.id]);
    }
  }
}
