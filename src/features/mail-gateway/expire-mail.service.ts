import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { REPLY_DAYS } from './reply-addresses.service';
import { Clock } from '../../platform/clock';
import { type Transaction, TransactionService } from '../../platform/database/transaction.service';
import { PeriodicTask, ProcessPurpose } from '../../platform/lifecycle/periodic-task';
import { Hooks } from '../../platform/hooks/hooks';
import { personalDataRemoved } from '../users/users.module';

/** Mail servers that miss the reply retry a delivery for five days at most. */
const MAIL_DAYS = 7;

const DAY_MS = 86_400_000;
const INTERVAL_MS = 3_600_000;
const ROWS_PER_STEP = 500;

/** Deletes expired reply addresses, and records of mail that no mail server still retries. */
@Injectable()
export class ExpireMailService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask('MailGateway', () => this.expire());

  constructor(
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
    private readonly purpose: ProcessPurpose,
    hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await this.remove(tx, 'user_id = ?', userId);
    });
  }

  onApplicationBootstrap(): void {
    if (this.purpose.isServer) this.task.start(INTERVAL_MS, { clock: this.clock });
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** Deletes everything that has expired, in small batches. */
  async expire(): Promise<void> {
    const now = this.clock.nowMs();
    const addresses = `DELETE FROM reply_address WHERE id IN
      (SELECT id FROM reply_address WHERE created_at < ? ORDER BY id LIMIT ${ROWS_PER_STEP}) RETURNING id`;
    await this.inSteps(async (tx) => (await tx.query(addresses, [now - REPLY_DAYS * DAY_MS])).length);
    await this.inSteps((tx) => this.remove(tx, 'received_at < ?', now - MAIL_DAYS * DAY_MS));
  }

  private async inSteps(step: (tx: Transaction) => Promise<number>): Promise<void> {
    for (let isMore = true; isMore && !this.task.isStopping;) {
      isMore = (await this.transactions.run(step)) === ROWS_PER_STEP;
    }
  }

  private async remove(tx: Transaction, which: string, value: number): Promise<number> {
    const limit = which.startsWith('user_id') ? '' : `ORDER BY id LIMIT ${ROWS_PER_STEP}`;
    const rows = await tx.query<{ id: number }>(`SELECT id FROM received_mail WHERE ${which} ${limit}`, [
      value,
    ]);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await tx.query('DELETE FROM received_mail_content WHERE mail_id IN (?)', [ids]);
    await tx.query('DELETE FROM received_mail WHERE id IN (?)', [ids]);
    return ids.length;
  }
}
