import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { ChannelDirectory, SubscriptionDirectory } from '../../channels';
import { HistoricalMessageService } from '../readers/historical-message.service';
import type { PlacedMessage } from '../readers/message-audience.service';
import { factsOf } from '../store/message-facts';
import { MessageRecipientsService } from './message-recipients.service';
import { MessageStoreService } from './message-store.service';
import type { OutgoingMessage } from './message-writer.service';

/** Content that takes the place of a message's old one: checked, normalized and rendered. */
export interface ReplacingContent extends Pick<
  OutgoingMessage,
  'content' | 'rendered' | 'groupMembers' | 'alerted'
> {
  /** The people whom a topic wildcard in it reaches. */
  readonly topicParticipants: ReadonlySet<number>;
  /** UNIX seconds. */
  readonly editedAt: number;
}

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
    message: PlacedMessage,
    next: ReplacingContent,
  ): Promise<ReadonlySet<number>> {
    const { content, rendered, groupMembers, alerted, topicParticipants, editedAt } = next;
    await this.store.replaceContent(tx, message.id, {
      content,
      renderedContent: rendered.html,
      facts: factsOf(rendered),
      groupMembers,
      topicParticipants,
      editedAt,
    });
    await this.letIn(tx, message, rendered.mentionedUserIds);
    const mentioned = await this.recipients.among(tx, message, rendered.mentionedUserIds);
    const mentionedBefore = await this.store.mentionedAmong(tx, message.id, mentioned);
    await this.store.replaceFlags(tx, message.id, {
      mentioned,
      alerted: await this.recipients.among(tx, message, alerted),
    });
    return new Set(mentioned.filter((userId) => !mentionedBefore.has(userId)));
  }

  /** Subscribers who came after the message was sent, and can see it, have it in their history once it mentions them. */
  private async letIn(
    tx: Transaction,
    message: PlacedMessage,
    mentioned: ReadonlySet<number>,
  ): Promise<void> {
    const channel = this.channels.byId(message.channelId ?? 0);
    if (!channel?.isHistoryPublicToSubscribers) return;
    const recipients = new Set(await this.recipients.among(tx, message, mentioned));
    for (const userId of mentioned) {
      if (recipients.has(userId) || !this.subscriptions.isSubscribed(userId, channel.id)) continue;
      await this.history.enter(tx, userId, [message.id]);
    }
  }
}
