import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Audience } from '../../../platform/events/audience';

/** What a higher feature tells of people to guests who come to see them. */
export interface VisibilityObserver {
  /** Within the transaction of the change. @param watchers who comes to see somebody, by the ID of that person */
  peopleShown(tx: Transaction, watchers: ReadonlyMap<number, Audience>): Promise<void>;
}

/** Where observers of who comes to see whom register themselves. */
@Injectable()
export class VisibilityObserverRegistry implements VisibilityObserver {
  private readonly observers: VisibilityObserver[] = [];

  register(observer: VisibilityObserver): void {
    this.observers.push(observer);
  }

  async peopleShown(tx: Transaction, watchers: ReadonlyMap<number, Audience>): Promise<void> {
    if (watchers.size === 0) return;
    for (const observer of this.observers) await observer.peopleShown(tx, watchers);
  }
}
