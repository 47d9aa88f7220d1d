import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { TransactionService } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { SubscriptionDirectory } from '../channels/subscription.directory';
import { messageFlagAdded } from '../messages/messages.events';
import { ReadStateService } from '../messages/read-state.service';
import type { DoneMove } from './move-messages.service';

/** Blocks of read state that one transaction may touch. */
const BLOCKS_PER_STEP = 2_000;

/**
 * Marks as read what moved to channels in which people are not subscribed, as if they had left it behind. For many
 * people and messages it takes a while, so it comes after the move, in steps between which others can write.
 */
@Injectable()
export class MovedReadingService implements OnModuleDestroy {
  private readonly logger = new Logger('MovedReading');
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly transactions: TransactionService,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly readState: ReadStateService,
  ) {}

  /** @param told who can see the messages now */
  begin(done: DoneMove, told: Audience): void {
    const { from, to, messageIds } = done;
    if (from.channelId === to.channelId) return;
    const leaving = [...this.subscriptions.subscribersOf(from.channelId).ids()].filter((id) => told.has(id));
    this.running = this.running
      .then(() => this.mark(leaving, to.channelId, messageIds))
      .catch((error: unknown) => this.logger.error(error));
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

  private async mark(
    userIds: readonly number[],
    channelId: number,
    messageIds: readonly number[],
  ): Promise<void> {
    const size = Math.max(1, Math.floor(BLOCKS_PER_STEP / this.readState.countRows(messageIds)));
    for (let at = 0; at < userIds.length && !this.isStopping; at += size) {
      await this.transactions.run(async (tx) => {
        const people = userIds
          .slice(at, at + size)
          .filter((id) => !this.subscriptions.isSubscribed(id, channelId));
        const marked = await this.readState.markReadForAll(tx, people, messageIds);
        for (const [ids, readers] of byContent(marked)) {
          tx.emit(messageFlagAdded('read', ids), Audience.of(readers));
        }
      });
    }
  }
}

/** People with the same list together, so that one event serves them all. */
function byContent(lists: ReadonlyMap<number, readonly number[]>): [readonly number[], number[]][] {
  const groups = new Map<string, [readonly number[], number[]]>();
  for (const [userId, ids] of lists) {
    if (ids.length === 0) continue;
    const key = ids.join();
    const group = groups.get(key);
    if (group) group[1].push(userId);
    else groups.set(key, [ids, [userId]]);
  }
  return [...groups.values()];
}
