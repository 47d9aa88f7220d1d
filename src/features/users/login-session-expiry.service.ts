import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { TransactionService } from '../../platform/database/transaction.service';

const INTERVAL_MS = 10 * 60_000;
const ROWS_PER_STEP = 500;

/** Deletes sessions that have expired, in steps short enough for other writes to come between. */
@Injectable()
export class LoginSessionExpiry implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('LoginSessionExpiry');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.expire().catch((error: unknown) => this.logger.error(error));
    }, INTERVAL_MS).unref();
  }

  /** Before the connections close. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Deletes everything that is due by now. */
  async expire(): Promise<void> {
    while (!this.isStopping && (await this.step())) await nextTurn();
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
