import { Injectable } from '@nestjs/common';
import { languageName } from './locale';
import { initialSettingUpdated, InvalidSetting, personalSettingUpdated } from './settings.api';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { AuditLog, differences } from '../../audit/audit.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { ActorTransactions } from '../access/actor-transactions.service';
import { AccountDirectory } from '../accounts/account.directory';
import type { Account } from '../accounts/account.entity';
import { EmailVisibility } from '../accounts/accounts.api';
import {
  initialSettings,
  initialSettingsState,
  isNotificationSound,
  personalSetting,
  type PersonalSettings,
  personalSettingsState,
} from '../accounts/personal-settings.api';
import { personalSettingsChanged } from '../users.hooks';

/** The settings of people without an account. */
const INITIAL = { timezone: '', emailVisibility: EmailVisibility.everyone, settings: {} };

/**
 * Changes personal settings, and emits the resulting events. Works on the row of the account within the caller's
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
   * Values equal to the current ones change nothing, except that choosing the initial language explicitly is stored.
   * @param by who changes them; changes by the owner are recorded as such
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
      if (personalSetting(chosen, property) === value) {
        // Until people choose a language, their browser determines that of the console.
        if (property === 'default_language' && by === row.id) chosen[property] = value;
        continue;
      }
      Object.assign(changed, { [property]: value });
      const language = property === 'default_language' ? { language_name: languageName(String(value)) } : {};
      tx.emit(personalSettingUpdated({ property, value, ...language }), own);
    }
    row.settings = JSON.stringify({ ...chosen, ...changed });
    if (by === row.id) noteEdited(row, Object.keys(changed));
    await this.hooks.run(personalSettingsChanged, tx, row, changed);
    return changed;
  }

  /** Names of the settings that the person changed themselves. */
  editedBy(row: Account): ReadonlySet<string> {
    return new Set(JSON.parse(row.editedSettings) as string[]);
  }
}

function noteEdited(row: Account, names: readonly string[]): void {
  const edited = JSON.parse(row.editedSettings) as string[];
  row.editedSettings = JSON.stringify([...new Set([...edited, ...names])]);
}

/** Maximum time that mail about missed messages may wait: a week. */
const MAX_BATCHING_SECONDS = 7 * 86_400;

/** Validates what the types of personal settings do not cover. @throws InvalidSetting */
export function checkPersonalSettings({
  default_language: language,
  notification_sound: sound,
  email_notifications_batching_period_seconds: period,
}: Partial<PersonalSettings>): void {
  if (language !== undefined && languageName(language) === undefined) {
    throw new InvalidSetting('Invalid default_language');
  }
  if (sound !== undefined && !isNotificationSound(sound)) {
    throw new InvalidSetting(`Invalid notification sound '${sound}'`);
  }
  if (period !== undefined && (period <= 0 || period > MAX_BATCHING_SECONDS)) {
    throw new InvalidSetting(`Invalid email batching period: ${period} seconds`);
  }
}

/** The setting with its own account column. */
const EMAIL_VISIBILITY = 'email_address_visibility';

/** The settings of new accounts that the organization determines. */
interface InitialSettings {
  readonly emailVisibility: number;
  /** Settings that differ from their initial values. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Default personal settings of new accounts. Existing accounts keep theirs. */
@Injectable()
export class InitialSettingsService {
  constructor(
    private readonly organization: OrganizationDirectory,
    private readonly transactions: ActorTransactions,
    private readonly accounts: AccountDirectory,
    private readonly audit: AuditLog,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('realm_user_settings_defaults', () => initialSettingsState(this.shown())),
    );
  }

  /** The initial settings of a person who joins now. */
  forPerson(): InitialSettings {
    const { [EMAIL_VISIBILITY]: visibility, ...settings } = this.organization.settings.user_settings_defaults;
    return {
      emailVisibility: (visibility as number | undefined) ?? EmailVisibility.everyone,
      settings: { ...this.forBot(), ...settings },
    };
  }

  /** Bots only need the language. */
  forBot(): InitialSettings['settings'] {
    const { default_language: language } = this.organization.settings;
    return language === 'en' ? {} : { default_language: language };
  }

  /**
   * Values equal to the current ones change nothing and emit nothing.
   * @throws InvalidSetting, Unauthorized, MustBeAdministrator
   */
  async update(
    caller: Actor,
    wanted: Partial<PersonalSettings & { [EMAIL_VISIBILITY]: number }>,
  ): Promise<void> {
    checkPersonalSettings(wanted);
    await this.transactions.runForAdministrator(caller, async (tx, actor) => {
      const shown = this.shown() as Readonly<Record<string, unknown>>;
      const changed = Object.entries(wanted).filter(([name, value]) => shown[name] !== value);
      if (changed.length === 0) return;
      const chosen = this.organization.settings.user_settings_defaults;
      await this.organization.store(tx, 'user_settings_defaults', {
        ...chosen,
        ...Object.fromEntries(changed),
      });
      const details = { user_settings_defaults: differences(shown, Object.fromEntries(changed)) };
      this.audit.record(tx, actor, 'organization.changed', {}, details);
      for (const [property, value] of changed) {
        tx.emit(initialSettingUpdated({ property, value }), this.accounts.active);
      }
    });
  }

  private shown() {
    const { settings, emailVisibility } = this.forPerson();
    return initialSettings(settings, emailVisibility);
  }
}
