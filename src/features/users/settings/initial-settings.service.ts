import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import { AuditLog, differences } from '../../audit/audit.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { ActorTransactions } from '../access/actor-transactions.service';
import { AccountDirectory } from '../accounts/account.directory';
import { EmailVisibility } from '../accounts/email-visibility';
import {
  initialSettings,
  initialSettingsState,
  type PersonalSettings,
} from '../accounts/personal-settings.api';
import { checkPersonalSettings } from './personal-settings-checks';
import { initialSettingUpdated } from './settings.api';

/** The setting with its own account column. */
const EMAIL_VISIBILITY = 'email_address_visibility';

/** What people begin with, as far as the organization has a say in it. */
export interface InitialSettings {
  readonly emailVisibility: number;
  /** Those that differ from the initial values. */
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

  /** What a person begins with who joins now. */
  forPerson(): InitialSettings {
    const { [EMAIL_VISIBILITY]: visibility, ...settings } = this.organization.settings.user_settings_defaults;
    return {
      emailVisibility: (visibility as number | undefined) ?? EmailVisibility.everyone,
      settings: { ...this.forBot(), ...settings },
    };
  }

  /** Bots have no use for more than the language. */
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
