import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { TransactionService } from '../../../platform/database/transaction.service';
import { PeriodicTask } from '../../../platform/lifecycle/periodic-task';

const INTERVAL_MS = 10 * 60_000;
const ROWS_PER_STEP = 500;

/** Deletes sessions that have expired, in steps short enough for other writes to come between. */
@Injectable()
export class LoginSessionExpiry implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask('LoginSessionExpiry', () => this.expire());

  constructor(
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start(INTERVAL_MS);
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** Deletes everything that is due by now. */
  async expire(): Promise<void> {
    while (!this.task.isStopping && (await this.step())) await nextTurn();
  }

  /** @returns whether there may be more to delete */
  private async step(): Promise<boolean> {
    const deleted = await this.transactions.run((tx) =>
      tx.query(
        `DELETE FROM login_session WHERE id IN
           (SELECT id FROM login_session WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)
         RETURNING id`,
        [this.clock.nowSeconds(), ROWS_PER_STEP],
      ),
    );
    return deleted.length === ROWS_PER_STEP;
  }
}
