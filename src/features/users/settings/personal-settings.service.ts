import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import type { Account } from '../accounts/account.entity';
import { PersonalSettingObserverRegistry } from './personal-setting-observer.registry';
import { personalSetting, type PersonalSettings } from './personal-settings.wire';
import { languageName } from './language';
import { personalSettingUpdated } from '../records/user.events';

/**
 * Changes personal settings, with the events they cause. Works on the row of the account within the caller's
 * exclusive transaction, as AccountChanges does; hand what it returns to {@link changed} after the commit.
 */
@Injectable()
export class PersonalSettingsService {
  constructor(private readonly observers: PersonalSettingObserverRegistry) {}

  /** Values equal to the current ones change nothing. @returns what really changes */
  async change(
    tx: Transaction,
    row: Account,
    settings: Partial<PersonalSettings>,
  ): Promise<Partial<PersonalSettings>> {
    const chosen = JSON.parse(row.settings) as Record<string, unknown>;
    const changed: Partial<PersonalSettings> = {};
    const own = Audience.of([row.id]);
    for (const [name, value] of Object.entries(settings)) {
      const property = name as keyof PersonalSettings;
      if (personalSetting(chosen, property) === value) continue;
      Object.assign(changed, { [property]: value });
      const language = property === 'default_language' ? { language_name: languageName(String(value)) } : {};
      tx.emit(personalSettingUpdated({ property, value, ...language }), own);
    }
    row.settings = JSON.stringify({ ...chosen, ...changed });
    await this.observers.settingsChange(tx, row, changed);
    return changed;
  }

  /** To be called after the commit. */
  changed(userId: number, changed: Partial<PersonalSettings>): Promise<void> {
    return this.observers.settingsChanged(userId, changed);
  }
}
