import { Injectable } from '@nestjs/common';
import { chunksOf } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { ChannelAccess, type ChannelRecord, SubscriptionDirectory } from '../../channels/channels.module';
import { HistoricalMessageService } from '../../messages/messages.module';
import type { DoneMove } from '../message-changes.api';
import { AccountDirectory } from '../../users/users.module';
import { changesChannel, type PlannedMove } from '../rights/planned-edit';
import { TooManyToMove } from '../rights/rights.api';

/** Who is to be told what of a move. */
export interface MovedReach {
  /** Users who can see the messages at their new place. */
  readonly told: Audience;
  /** Users who lost access. */
  readonly lost: Audience;
}

const MESSAGES_PER_STATEMENT = 500;

/** Most rows that one move writes for people who come to have messages in their history. */
const MAX_ROWS = 200_000;

/** Works out who loses messages and who gains them when they move to another channel. */
@Injectable()
export class MovedReachService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly channelAccess: ChannelAccess,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly history: HistoricalMessageService,
  ) {}

  /**
   * Removes the messages from the histories of users who lose access. With protected history at the destination, adds
   * them to the histories of current subscribers, and keeps them for recipients who still have access.
   * @param before who was told of the messages where they were
   * @throws TooManyToMove
   */
  async change(tx: Transaction, plan: PlannedMove, done: DoneMove, before: Audience): Promise<MovedReach> {
    if (!changesChannel(plan)) return { told: before, lost: Audience.none };
    const subscribers = this.subscriptions.subscribersOf(plan.to.id);
    const lost = Audience.of(before.ids().filter((userId) => !this.mayRead(userId, plan.to)));
    const keeping = before.without(lost.ids());
    const isLosing = (userId: number) =>
      this.accounts.byId(userId)?.isActive === true && !this.mayRead(userId, plan.to);
    let entered = 0;
    for (const some of chunksOf(done.messageIds, MESSAGES_PER_STATEMENT)) {
      await this.history.leave(tx, some, isLosing);
      if (plan.to.isHistoryPublicToSubscribers) continue;
      entered += await this.history.settle(tx, { entering: subscribers, keeping }, some);
      if (entered > MAX_ROWS) throw new TooManyToMove();
    }
    return { told: subscribers.union(keeping), lost };
  }

  /** Whether a person can read a channel's messages, other than those that only recipients can read. */
  mayRead(userId: number, channel: ChannelRecord): boolean {
    const account = this.accounts.byId(userId);
    return (
      account !== undefined && this.channelAccess.hasContentAccess({ userId, role: account.role }, channel)
    );
  }
}
