import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { chunksOf, groupByList } from '../../../platform/collections';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { SubscriptionDirectory } from '../../channels';
import { messageFlagAdded, type NotedWork, ReadStateService, UnfinishedWorkService } from '../../messages';
import type { DoneMove } from './move-messages.service';

/** Blocks of read state that one transaction may touch. */
const BLOCKS_PER_STEP = 2_000;

const KIND = 'read what moved away';

/** What moved to a channel, and those who were subscribed where it was. */
interface MovedReading {
  readonly userIds: readonly number[];
  readonly channelId: number;
  readonly messageIds: readonly number[];
}

/**
 * Marks as read what moved to channels in which people are not subscribed, as if they had left it behind. For many
 * people and messages it takes a while, so it comes after the move, in steps between which others can write.
 */
@Injectable()
export class MovedReadingService implements OnModuleDestroy {
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly transactions: TransactionService,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly readState: ReadStateService,
    private readonly work: UnfinishedWorkService,
  ) {
    work.register<MovedReading>(KIND, (reading) => this.mark(reading));
  }

  /**
   * Notes what is to be done, within the transaction of the move.
   * @param told who can see the messages now
   */
  async note(tx: Transaction, done: DoneMove, told: Audience): Promise<NotedWork | null> {
    const { from, to, messageIds } = done;
    if (from.channelId === to.channelId) return null;
    const leaving = [...this.subscriptions.subscribersOf(from.channelId).ids()].filter((id) => told.has(id));
    if (leaving.length === 0) return null;
    const data: MovedReading = { userIds: leaving, channelId: to.channelId, messageIds };
    return this.work.note(tx, KIND, data);
  }

  /** Begins with what was noted, once the transaction is over. */
  begin(noted: NotedWork): void {
    this.running = this.running.then(() => this.work.carryOut(noted));
  }

  /** Resolves once everything that was begun is done. */
  async idle(): Promise<void> {
    await this.running;
  }

  /** Before the connections close. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    await this.running;
  }

  private async mark({ userIds, channelId, messageIds }: MovedReading): Promise<boolean> {
    const size = Math.max(1, Math.floor(BLOCKS_PER_STEP / this.readState.countRows(messageIds)));
    for (const some of chunksOf(userIds, size)) {
      if (this.isStopping) return false;
      await this.transactions.run(async (tx) => {
        const people = some.filter((id) => !this.subscriptions.isSubscribed(id, channelId));
        const marked = await this.readState.markReadForAll(tx, people, messageIds);
        for (const { userIds: readers, items } of groupByList(marked, (messageId) => messageId)) {
          if (items.length > 0) tx.emit(messageFlagAdded('read', items), Audience.of(readers));
        }
      });
    }
    return true;
  }
}
