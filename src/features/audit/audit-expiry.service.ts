import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { THE_SERVER } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import { Config } from '../../platform/config/config';
import { writeState } from '../../platform/database/server-state';
import { TransactionService } from '../../platform/database/transaction.service';
import { PeriodicTask } from '../../platform/lifecycle/periodic-task';
import { AuditLog } from './audit-log.service';

const INTERVAL_MS = 3_600_000;
const SECONDS_A_DAY = 86_400;

/** Few enough to let other writes in between. */
const ROWS_PER_STEP = 500;

/** Before this moment entries may be deleted; the database refuses to delete others. UNIX seconds. */
const KEPT_SINCE = 'audit log kept since';

/** Deletes entries that are older than the operator wants to keep: the only way out of the log. */
@Injectable()
export class AuditExpiry implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask('AuditExpiry', () => this.expire());

  constructor(
    private readonly transactions: TransactionService,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly log: AuditLog,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.auditRetentionDays > 0) this.task.start(INTERVAL_MS, { clock: this.clock });
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** Deletes all that is due by now, and says in the log that it did. */
  async expire(): Promise<void> {
    const { auditRetentionDays: days } = this.config;
    if (days === 0) return;
    const before = this.clock.nowSeconds() - days * SECONDS_A_DAY;
    while (!this.task.isStopping && (await this.expireSome(before))) await nextTurn();
  }

  /** @returns whether there may be more to delete */
  private async expireSome(before: number): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      await writeState(tx, KEPT_SINCE, String(before));
      const deleted = await tx.query(
        `DELETE FROM audit_entry WHERE id IN
           (SELECT id FROM audit_entry WHERE created_at < ? ORDER BY created_at LIMIT ?)
         RETURNING id`,
        [before, ROWS_PER_STEP],
      );
      const details = { entries: deleted.length, kept_since: before };
      if (deleted.length > 0) this.log.record(tx, THE_SERVER, 'server.audit_log_expired', {}, details);
      return deleted.length === ROWS_PER_STEP;
    });
  }
}
