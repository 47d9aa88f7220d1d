import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ReadRepository } from '../../../platform/database/read-source';
import { In, type EntityTarget } from 'typeorm';
import { Clock } from '../../../platform/clock';
import { TransactionService } from '../../../platform/database/transaction.service';
import { ProcessPurpose, PeriodicTask } from '../../../platform/lifecycle/periodic-task';
import { MessagingMockEntry, MessagingReceipt } from './messaging-conversation.entity';

/** Providers retry a delivery for a week at most; a retry later than this would be posted again. */
const RECEIPTS_KEPT_DAYS = 30;

/** Retention of the mock log. */
const MOCK_LOG_KEPT_DAYS = 30;

const DAY_MS = 86_400_000;
const INTERVAL_MS = 3_600_000;
const ROWS_PER_STEP = 500;

/** Columns of rows with limited retention. */
type DatedRow = Pick<MessagingReceipt, 'id' | 'createdAt'>;

/** Deletes receipts of deliveries that no provider still retries, and old entries of the mock log. */
@Injectable()
export class ExpireMessagingService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask('MessagingBridge', () => this.expire());

  constructor(
    @InjectRepository(MessagingReceipt) private readonly receipts: ReadRepository<MessagingReceipt>,
    @InjectRepository(MessagingMockEntry) private readonly entries: ReadRepository<MessagingMockEntry>,
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
    private readonly purpose: ProcessPurpose,
  ) {}

  onApplicationBootstrap(): void {
    if (this.purpose.isServer) this.task.start(INTERVAL_MS, { clock: this.clock });
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** Deletes everything that has expired, in small batches. */
  async expire(): Promise<void> {
    await this.expireRows(MessagingReceipt, this.receipts, RECEIPTS_KEPT_DAYS);
    await this.expireRows(MessagingMockEntry, this.entries, MOCK_LOG_KEPT_DAYS);
  }

  private async expireRows(
    entity: EntityTarget<DatedRow>,
    rows: ReadRepository<DatedRow>,
    days: number,
  ): Promise<void> {
    const before = this.clock.nowMs() - days * DAY_MS;
    for (let isMore = true; isMore && !this.task.isStopping;) {
      const oldest = await rows.find({
        select: { id: true, createdAt: true },
        order: { id: 'ASC' },
        take: ROWS_PER_STEP,
      });
      const due = oldest.filter(({ createdAt }) => createdAt < before).map(({ id }) => id);
      if (due.length > 0) {
        await this.transactions.run((tx) => tx.repository(entity).delete({ id: In(due) }));
      }
      isMore = due.length === ROWS_PER_STEP;
    }
  }
}
