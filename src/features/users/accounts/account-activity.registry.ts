import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Account } from './account.entity';

/** A feature that shows something of active people only. */
export interface AccountActivityObserver {
  /**
   * Tells those who see a person what is gone now, or back. Called inside the exclusive transaction: before somebody is
   * out of sight, and once they are back in it.
   * @param row says whether the account is active from now on
   */
  activityChanges(tx: Transaction, row: Account): Promise<void>;
}

/** Where observers of leaving and coming back register themselves. */
@Injectable()
export class AccountActivityRegistry implements AccountActivityObserver {
  private readonly observers: AccountActivityObserver[] = [];

  register(observer: AccountActivityObserver): void {
    this.observers.push(observer);
  }

  async activityChanges(tx: Transaction, row: Account): Promise<void> {
    for (const observer of this.observers) await observer.activityChanges(tx, row);
  }
}
