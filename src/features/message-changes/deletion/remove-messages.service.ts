import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { addTo } from '../../../platform/collections';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { Audience } from '../../../platform/events/audience';
import { MessageAudienceService, messagesDeleted, MessageRowsService } from '../../messages/messages.module';
import { MessageEdit } from '../history/message-edit.entity';
import { ChannelRowsService } from '../locks/channel-rows.service';
import { MessageLocksService, type LockedMessage } from '../locks/message-locks.service';
import { channelMessagesGone, directMessagesGone, MAX_MESSAGES_GONE } from '../message-changes.api';
import { TopicRowsService } from '../../channels/channels.module';

/** Most messages that go in one step, each topic with one event. */
export const MESSAGES_PER_STEP = MAX_MESSAGES_GONE;

/** Messages that are to go. */
export interface Removal {
  /** At most {@link MESSAGES_PER_STEP}. */
  readonly messageIds: readonly number[];
  /**
   * Gets the events besides the usual audience. Null without a requesting user: then the caller emits a channel's new
   * first message once, after the last step.
   */
  readonly deleterId: number | null;
  /** Checks once more whether they may go. @returns those that do */
  readonly choose: (tx: Transaction, locked: readonly LockedMessage[]) => Promise<readonly LockedMessage[]>;
}

/** Deletes messages and all that belongs to them. Callers check whether it is allowed. */
@Injectable()
export class RemoveMessagesService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly locks: MessageLocksService,
    private readonly audiences: MessageAudienceService,
    private readonly hooks: Hooks,
    private readonly stored: MessageRowsService,
    private readonly topics: TopicRowsService,
    private readonly channelRows: ChannelRowsService,
  ) {}

  /** Deletes messages in a transaction of their own. @returns how many went */
  remove({ messageIds, deleterId, choose }: Removal): Promise<number> {
    const isFirstAmong = this.channelRows.isAnyFirst(messageIds);
    return this.transactions.runUpgradable(isFirstAmong, async (tx) => {
      const locked = await this.locks.lock(tx, messageIds, { purpose: 'delete' });
      const chosen = await choose(tx, locked);
      if (chosen.length === 0) return 0;
      await this.tell(tx, chosen, deleterId);
      await this.deleteRows(tx, chosen);
      for (const [channelId] of groups(chosen, (message) => message.channelId)) {
        const isOther = await this.channelRows.renewFirst(tx, channelId);
        if (isOther && deleterId !== null) await this.channelRows.tellFirst(tx, channelId);
      }
      return chosen.length;
    });
  }

  private async deleteRows(tx: Transaction, messages: readonly LockedMessage[]): Promise<void> {
    const ids = idsOf(messages);
    await this.hooks.run(messagesDeleted, tx, ids);
    await tx.repository(MessageEdit).delete({ messageId: In(ids) });
    await this.stored.remove(tx, ids, groups(messages, (message) => message.conversationId).keys());
    for (const [topicId, gone] of groups(messages, (message) => message.topicId)) {
      await this.topics.count(tx, topicId, -gone.length);
    }
  }

  private async tell(
    tx: Transaction,
    messages: readonly LockedMessage[],
    deleterId: number | null,
  ): Promise<void> {
    const deleter = deleterId === null ? Audience.none : Audience.of([deleterId]);
    for (const [topicId, gone] of groups(messages, (message) => message.topicId)) {
      const { channelId, name: topic } = await this.topics.byId(tx, topicId);
      const audience = (await this.audiences.ofAll(tx, gone)).union(deleter);
      tx.emit(channelMessagesGone(idsOf(gone), { channelId, topic }), audience);
    }
    for (const [, gone] of groups(messages, (message) => message.conversationId)) {
      const audience = (await this.audiences.ofAll(tx, gone)).union(deleter);
      tx.emit(directMessagesGone(idsOf(gone)), audience);
    }
  }
}

function idsOf(messages: readonly LockedMessage[]): number[] {
  return messages.map(({ id }) => id);
}

/** The messages by what the key says of them; those of which it says nothing are left out. */
function groups(
  messages: readonly LockedMessage[],
  keyOf: (message: LockedMessage) => number | null,
): Map<number, LockedMessage[]> {
  const found = new Map<number, LockedMessage[]>();
  for (const message of messages) {
    const key = keyOf(message);
    if (key === null) continue;
    addTo(found, key, message);
  }
  return found;
}
