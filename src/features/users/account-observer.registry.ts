import { Injectable } from '@nestjs/common';
import type { Role } from '../../platform/actor';
import type { Transaction } from '../../platform/database/transaction.service';
import type { Account } from './account.entity';

/**
 * What a higher feature does when accounts change, such as posting that somebody joined. Called inside
 * the exclusive transaction of the change, after its rows and events are written: the directories in
 * memory still show the state before, and an error undoes everything.
 */
export interface AccountObserver {
  /** A person or bot was created. */
  accountCreated?(tx: Transaction, account: Readonly<Account>): Promise<void>;
  /** @param before the role until now */
  roleChanged?(tx: Transaction, account: Readonly<Account>, before: Role): Promise<void>;
}

/** Where observers of accounts register themselves. They are called in the order of registration. */
@Injectable()
export class AccountObserverRegistry implements Required<AccountObserver> {
  private readonly observers: AccountObserver[] = [];

  register(observer: AccountObserver): void {
    this.observers.push(observer);
  }

  async accountCreated(tx: Transaction, account: Readonly<Account>): Promise<void> {
    for (const observer of this.observers) await observer.accountCreated?.(tx, account);
  }

  async roleChanged(tx: Transaction, account: Readonly<Account>, before: Role): Promise<void> {
    for (const observer of this.observers) await observer.roleChanged?.(tx, account, before);
  }
}
