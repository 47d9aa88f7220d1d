import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import type { Transaction } from '../../platform/database/transaction.service';
import type { ChannelRecord } from '../channels/channel.directory';
import { SubscriptionDirectory } from '../channels/subscription.directory';
import { ChannelUpkeepService } from '../messages/channel-upkeep.service';
import { SystemMessageService } from '../messages/system-message.service';
import { AccountDirectory } from '../users/account.directory';
import { isOnlyMark, type PlannedMove } from './edit/edit-request';
import { arrivalNotice, departureNotice, resolutionNotice } from './edit/move-notices';
import type { DoneMove } from './move-messages.service';
import { NeedsExclusive } from './upgradable-transactions.service';

/** Where somebody wants the notification bot to tell of a move. */
export interface WantedNotices {
  readonly inOldTopic: boolean;
  readonly inNewTopic: boolean;
}

/** A move whose messages are where they go. */
interface MoveToTell {
  readonly plan: PlannedMove;
  readonly done: DoneMove;
  readonly wanted: WantedNotices;
  /** Who had written to the topic before the move. */
  readonly participants: ReadonlySet<number>;
  /** Whether the rows of channels may change. */
  readonly isExclusive: boolean;
}

/** What the notification bot says of moves (messages reference 5.1); it is news for those who took part in the topic. */
@Injectable()
export class MoveNoticesService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly upkeep: ChannelUpkeepService,
    private readonly messages: SystemMessageService,
  ) {}

  /** Who has written to a topic. */
  async participants(tx: Transaction, topicId: number): Promise<Set<number>> {
    const rows = await tx.query<{ id: number }>(
      'SELECT DISTINCT sender_id AS id FROM message WHERE topic_id = ?',
      [topicId],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** @throws NeedsExclusive */
  async post(tx: Transaction, actor: Actor, move: MoveToTell): Promise<void> {
    const { plan, done, wanted } = move;
    const person = { id: actor.userId, fullName: this.accounts.byId(actor.userId)?.fullName ?? '' };
    const extent = done.isWhole ? 'all' : done.messageIds.length;
    const origin = { channelName: plan.from.name, topic: done.from.topic };
    const target = { channelName: plan.to.name, topic: done.to.topic };
    const post = async (
      channel: ChannelRecord,
      topic: string,
      participants: ReadonlySet<number>,
      content: string,
    ) => {
      if (!move.isExclusive && this.upkeep.isDue(channel)) throw new NeedsExclusive();
      const readBy = [...this.subscriptions.subscribersOf(channel.id).ids()].filter(
        (userId) => userId === actor.userId || !participants.has(userId),
      );
      await this.messages.sendToChannel(tx, 'notification-bot', { channel, topic }, { content, readBy });
    };
    const participants = await this.participants(tx, done.to.topicId);
    if (plan.resolution !== null) {
      await post(plan.to, done.to.topic, participants, resolutionNotice(person, plan.resolution));
    }
    if (isOnlyMark(plan)) return;
    if (wanted.inNewTopic) {
      await post(plan.to, done.to.topic, participants, arrivalNotice(person, origin, extent));
    }
    if (wanted.inOldTopic) {
      await post(plan.from, done.from.topic, move.participants, departureNotice(person, target, extent));
    }
  }
}
