import { Injectable } from '@nestjs/common';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { AccountDirectory } from '../accounts/account.directory';
import type { Account } from '../accounts/account.entity';
import { EmailVisibility } from '../accounts/email-visibility';
import {
  personalSetting,
  personalSettingsState,
  type PersonalSettings,
} from '../accounts/personal-settings.api';
import { personalSettingsChanged } from '../users.hooks';
import { languageName } from './languages';
import { personalSettingUpdated } from './settings.api';

/** Applies to people without an account. */
const INITIAL = { timezone: '', emailVisibility: EmailVisibility.everyone, settings: {} };

/**
 * Changes personal settings, and emits the events that follow. Works on the row of the account within the caller's
 * exclusive transaction, like AccountChanges.
 */
@Injectable()
export class PersonalSettingsService {
  constructor(
    private readonly hooks: Hooks,
    accounts: AccountDirectory,
  ) {
    hooks.on(
      initialState,
      stateFor('user_settings', (_, { reader }) =>
        personalSettingsState((reader && accounts.byId(reader.userId)) ?? INITIAL),
      ),
    );
  }

  /**
   * Values equal to the current ones change nothing.
   * @param by who changes them; what people change themselves is remembered as theirs
   * @returns what changed
   */
  async change(
    tx: Transaction,
    row: Account,
    settings: Partial<PersonalSettings>,
    by = row.id,
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
    if (by === row.id) noteEdited(row, Object.keys(changed));
    await this.hooks.run(personalSettingsChanged, tx, row, changed);
    return changed;
  }

  /** Names of the settings that the person has changed themselves. */
  editedBy(row: Account): ReadonlySet<string> {
    return new Set(JSON.parse(row.editedSettings) as string[]);
  }
}

function noteEdited(row: Account, names: readonly string[]): void {
  const edited = JSON.parse(row.editedSettings) as string[];
  row.editedSettings = JSON.stringify([...new Set([...edited, ...names])]);
}
