import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { TransactionService } from '../../../platform/database/transaction.service';
import { PeriodicTask } from '../../../platform/lifecycle/periodic-task';
import { OrganizationDirectory } from '../../organization-settings';
import { SystemGroupService } from './system-group.service';

const HOUR_MS = 3_600_000;

/** Makes members full members once their accounts are old enough; looks once an hour. */
@Injectable()
export class FullMemberPromotion implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask('FullMemberPromotion', () => this.promote());

  constructor(
    private readonly transactions: TransactionService,
    private readonly organization: OrganizationDirectory,
    private readonly systemGroups: SystemGroupService,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start(HOUR_MS);
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** Without a waiting period everybody is a full member from the start, and there is nothing to do. */
  async promote(): Promise<void> {
    const days = this.organization.settings.waiting_period_threshold;
    if (days === 0) return;
    await this.transactions.runExclusive((tx) => this.systemGroups.updateFullMembers(tx, days));
  }
}
