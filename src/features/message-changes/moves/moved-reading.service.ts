import { Injectable } from '@nestjs/common';
import { chunksOf, groupByList } from '../../../platform/collections';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { defineJob, type RunningJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import { SubscriptionDirectory } from '../../channels/channels.module';
import { messageFlagAdded, ReadStateService } from '../../messages/messages.module';
import type { DoneMove } from '../message-changes.api';

/** Blocks of read state that one transaction may touch. */
const BLOCKS_PER_STEP = 2_000;

/** Messages moved to a channel, and the subscribers of their former channel. */
interface MovedReading {
  readonly userIds: readonly number[];
  readonly channelId: number;
  readonly messageIds: readonly number[];
}

/** Marks as read what moved away from people. */
const readMovedMessages = defineJob<MovedReading>('read_moved_messages');

/** Failed work is tried again for as long as a request may wait for it. */
const RETRY = { delaysMs: [5_000, 60_000, 600_000], forMs: 7 * 86_400_000 };

const MAX_WORK_MS = 10 * 60_000;

/**
 * Marks as read what moved to channels in which people are not subscribed, as if they had left it behind. For many
 * people and messages it takes a while, so it comes after the move, in steps between which others can write.
 */
@Injectable()
export class MovedReadingService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly readState: ReadStateService,
    private readonly jobs: Jobs,
  ) {
    jobs.handle(readMovedMessages, {
      work: (job) => this.mark(job),
      retry: RETRY,
      timeoutMs: MAX_WORK_MS,
      stopsAtOnce: true,
    });
  }

  /**
   * Enqueues the follow-up work within the transaction of the move.
   * @param told who can see the messages now
   */
  async enqueue(tx: Transaction, done: DoneMove, told: Audience): Promise<void> {
    const { from, to, messageIds } = done;
    if (from.channelId === to.channelId) return;
    const leaving = [...this.subscriptions.subscribersOf(from.channelId).ids()].filter((id) => told.has(id));
    if (leaving.length === 0) return;
    const data: MovedReading = { userIds: leaving, channelId: to.channelId, messageIds };
    await this.jobs.enqueue(tx, { kind: readMovedMessages, data });
  }

  private async mark({ data, signal }: RunningJob<MovedReading>): Promise<void> {
    const { userIds, channelId, messageIds } = data;
    const size = Math.max(1, Math.floor(BLOCKS_PER_STEP / this.readState.countRows(messageIds)));
    for (const some of chunksOf(userIds, size)) {
      signal.throwIfAborted();
      await this.transactions.run(async (tx) => {
        const people = some.filter((id) => !this.subscriptions.isSubscribed(id, channelId));
        const marked = await this.readState.markReadForAll(tx, people, messageIds);
        for (const { userIds: readers, items } of groupByList(marked, (messageId) => messageId)) {
          if (items.length > 0) tx.emit(messageFlagAdded('read', items), Audience.of(readers));
        }
      });
    }
  }
}
