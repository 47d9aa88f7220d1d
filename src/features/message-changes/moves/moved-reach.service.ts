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
  /** Those who can see the messages where they are now. */
  readonly told: Audience;
  /** Those who could see them before and cannot any more. */
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
   * Takes the messages out of the histories of those who cannot see them any more. Where new subscribers see no old
   * messages, what moves in comes into the histories of those who are subscribed now, and stays in those of people
   * who have received it and still see it.
   * @param before who was told of the messages where they were
   * @throws TooManyToMove
   */
  async change(tx: Transaction, plan: PlannedMove, done: DoneMove, before: Audience): Promise<MovedReach> {
    if (!changesChannel(plan)) return { told: before, lost: Audience.nobody };
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
