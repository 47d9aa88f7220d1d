import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { TransactionService } from '../../../platform/database/transaction.service';
import { PeriodicTask } from '../../../platform/lifecycle/periodic-task';

const INTERVAL_MS = 3_600_000;

/** How long the link of an invitation that is over says so, before it is as if it had never been. */
const KEPT_SECONDS = 30 * 86_400;

/** Few enough to let other writes in between. */
const ROWS_PER_STEP = 500;

/** Deletes invitations that have been over for a while. */
@Injectable()
export class InvitationExpiry implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask('InvitationExpiry', () => this.deleteOld());

  constructor(
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start(INTERVAL_MS, { clock: this.clock });
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** In steps. */
  async deleteOld(): Promise<void> {
    while (!this.task.isStopping && (await this.deleteSome())) await nextTurn();
  }

  /** @returns whether there may be more to delete */
  private async deleteSome(): Promise<boolean> {
    const before = this.clock.nowSeconds() - KEPT_SECONDS;
    const deleted = await this.transactions.run((tx) =>
      tx.query(
        `DELETE FROM invitation WHERE id IN
           (SELECT id FROM invitation WHERE ended_at <= ? OR expires_at <= ? ORDER BY id LIMIT ?)
         RETURNING id`,
        [before, before, ROWS_PER_STEP],
      ),
    );
    return deleted.length === ROWS_PER_STEP;
  }
}
