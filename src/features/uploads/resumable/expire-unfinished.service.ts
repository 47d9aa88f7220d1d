import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { PeriodicTask, ProcessPurpose } from '../../../platform/lifecycle/periodic-task';
import { personalDataRemoved } from '../../users/users.module';
import { UnfinishedFilesService } from './unfinished-files.service';
import { UnfinishedRowsService } from './unfinished-rows.service';
import type { UnfinishedUpload } from './unfinished-upload.entity';

const INTERVAL_MS = 3_600_000;

/** Clients go on within minutes; a day lets a person who closed a laptop do so as well. */
const KEPT_MS = 86_400_000;

/** Removes uploads without data for a day, and those of deleted people. */
@Injectable()
export class ExpireUnfinishedService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask('Uploads', () => this.expire());

  constructor(
    private readonly transactions: TransactionService,
    private readonly rows: UnfinishedRowsService,
    private readonly files: UnfinishedFilesService,
    private readonly clock: Clock,
    private readonly purpose: ProcessPurpose,
    hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, (tx, userId) => this.removeOf(tx, userId));
  }

  onApplicationBootstrap(): void {
    if (this.purpose.isServer) this.task.start(INTERVAL_MS, { clock: this.clock });
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** Removes everything that is due by now. */
  async expire(): Promise<void> {
    const before = this.clock.nowMs() - KEPT_MS;
    await this.discard(
      await this.transactions.run((tx) => this.rows.removeAll(tx, 'touched_at < ?', before)),
    );
  }

  private async removeOf(tx: Transaction, userId: number): Promise<void> {
    const removed = await this.rows.removeAll(tx, 'owner_id = ?', userId);
    tx.afterCommit(() => this.discard(removed));
  }

  private async discard(removed: readonly UnfinishedUpload[]): Promise<void> {
    for (const upload of removed) await this.files.discard(upload);
  }
}
