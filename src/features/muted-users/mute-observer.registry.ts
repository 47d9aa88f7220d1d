import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';

/** What is left to do after the commit, before the caller is answered. */
type AfterCommit = () => Promise<void>;

/** What a higher feature does when somebody is muted. */
export interface MuteObserver {
  /** Within the transaction. */
  userMuted(tx: Transaction, userId: number, mutedUserId: number): Promise<AfterCommit>;
}

/** Where observers of muting register themselves. */
@Injectable()
export class MuteObserverRegistry implements MuteObserver {
  private readonly observers: MuteObserver[] = [];

  register(observer: MuteObserver): void {
    this.observers.push(observer);
  }

  async userMuted(tx: Transaction, userId: number, mutedUserId: number): Promise<AfterCommit> {
    const steps: AfterCommit[] = [];
    for (const observer of this.observers) steps.push(await observer.userMuted(tx, userId, mutedUserId));
    return async () => {
      for (const step of steps) await step();
    };
  }
}
