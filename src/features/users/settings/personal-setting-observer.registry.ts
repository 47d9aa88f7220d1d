import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Account } from '../accounts/account.entity';
import type { PersonalSettings } from './personal-settings.wire';

/** What a higher feature does when somebody changes personal settings of theirs. Only real changes are told. */
export interface PersonalSettingObserver {
  /** Called inside the transaction, after the events of the settings; an error undoes everything. */
  settingsChange(tx: Transaction, row: Account, changed: Partial<PersonalSettings>): Promise<void>;

  /** Called after the commit. */
  settingsChanged(userId: number, changed: Partial<PersonalSettings>): Promise<void>;
}

/** Where observers of personal settings register themselves. */
@Injectable()
export class PersonalSettingObserverRegistry implements PersonalSettingObserver {
  private readonly observers: PersonalSettingObserver[] = [];

  register(observer: PersonalSettingObserver): void {
    this.observers.push(observer);
  }

  async settingsChange(tx: Transaction, row: Account, changed: Partial<PersonalSettings>): Promise<void> {
    for (const observer of this.observers) await observer.settingsChange(tx, row, changed);
  }

  async settingsChanged(userId: number, changed: Partial<PersonalSettings>): Promise<void> {
    for (const observer of this.observers) await observer.settingsChanged(userId, changed);
  }
}
