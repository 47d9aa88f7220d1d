import {
  type OwnSettingsChange,
  EmailChangesDisabled,
  InvalidSetting,
  personalSettingUpdated,
} from './settings.api';
import { Injectable } from '@nestjs/common';
import { type Actor, isAdministrator } from '../../../platform/actor';
import { requireOwnKey } from '../../../platform/http/key-scopes';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { AuditLog } from '../../audit/audit.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import type { Account } from '../accounts/account.entity';
import { AccountChanges } from '../records/account-changes.service';
import { AccountDirectory } from '../accounts/account.directory';
import { AddressNeedsProof, WrongPassword } from '../credentials/credentials.api';
import { PasswordService } from '../credentials/password.service';
import { OthersSettingsService } from './others-settings.service';
import { checkPersonalSettings } from './personal-settings-checks';
import { PersonalSettingsService } from './personal-settings.service';
import { canonicalTimeZone } from './time-zones';

/** Changes the caller's own name, address, password and personal settings, all of them or none; or settings of others. */
@Injectable()
export class OwnSettingsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly organization: OrganizationDirectory,
    private readonly accounts: AccountDirectory,
    private readonly changes: AccountChanges,
    private readonly settings: PersonalSettingsService,
    private readonly others: OthersSettingsService,
    private readonly passwords: PasswordService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Values equal to the current ones change nothing and emit nothing.
   * @throws ApiError for the first invalid change, see settings.api.ts and AccountChanges
   */
  async update(actor: Actor, change: OwnSettingsChange): Promise<void> {
    if (change.email !== undefined || change.newPassword !== undefined) requireOwnKey(actor);
    if (change.targets) return this.others.update(actor, change.targets, change);
    checkPersonalSettings(change.settings);
    const timezone = presentTimeZone(change.timezone);
    const { oldPassword, newPassword } = change;
    const password =
      newPassword === undefined
        ? undefined
        : await this.passwords.checkChange(actor, oldPassword, newPassword);
    if (!password) await this.confirmAddressChange(actor, change);
    await this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, actor.userId);
      if (password) {
        this.passwords.replace(row, password);
        this.audit.record(tx, actor, 'user.password_changed', { userId: row.id });
      }
      await this.updateIdentity(tx, actor, row, change);
      await this.settings.change(tx, row, change.settings);
      await this.updateProfile(tx, row, { ...change, timezone });
      await this.changes.save(tx, row, change.session);
    });
  }

  /**
   * Anyone who reads mail to the new address can reset the password, so an API key must not suffice to change it. In
   * browsers, the sign-in is known to be recent.
   * @throws AddressNeedsProof, WrongPassword, LoginThrottled
   */
  private async confirmAddressChange(actor: Actor, { email, oldPassword, session }: OwnSettingsChange) {
    if (email === undefined || email === this.accounts.existing(actor.userId).deliveryEmail) return;
    if (oldPassword === '') {
      if (session === null) throw new AddressNeedsProof();
      return;
    }
    if (!(await this.passwords.confirm(actor, oldPassword))) throw new WrongPassword();
  }

  private async updateIdentity(
    tx: Transaction,
    actor: Actor,
    row: Account,
    { email, fullName }: OwnSettingsChange,
  ): Promise<void> {
    const { email_changes_disabled: emailFixed, name_changes_disabled: nameFixed } =
      this.organization.settings;
    if (email !== undefined && email !== row.deliveryEmail) {
      if (emailFixed && !isAdministrator(actor)) throw new EmailChangesDisabled();
      await this.changes.changeEmail(tx, row, email);
      this.audit.record(tx, actor, 'user.email_changed', { userId: row.id });
    }
    // Clients send the name along with other changes, which a fixed name is not to keep from being made.
    const isNameFixed = nameFixed && !isAdministrator(actor);
    if (fullName !== undefined && fullName !== row.fullName && !isNameFixed) {
      await this.changes.rename(tx, row, fullName);
      this.audit.record(tx, actor, 'user.renamed', { userId: row.id });
    }
  }

  /** Changes what others see, and what the person sees among the settings. */
  private async updateProfile(
    tx: Transaction,
    row: Account,
    { timezone, emailVisibility }: OwnSettingsChange,
  ): Promise<void> {
    const tellOwner = (property: string, value: number | string) =>
      tx.emit(personalSettingUpdated({ property, value }), Audience.of([row.id]));
    if (emailVisibility !== undefined && emailVisibility !== row.emailVisibility) {
      tellOwner('email_address_visibility', emailVisibility);
      await this.changes.changeEmailVisibility(tx, row, emailVisibility);
    }
    if (timezone !== undefined && timezone !== row.timezone) {
      tellOwner('timezone', timezone);
      await this.changes.changeTimezone(tx, row, timezone);
    }
  }
}

/** The name under which a time zone is stored and told; an empty one says that there is none. @throws InvalidSetting */
function presentTimeZone(name: string | undefined): string | undefined {
  if (!name) return name;
  const present = canonicalTimeZone(name);
  if (present === undefined) {
    throw new InvalidSetting('Invalid timezone: Value error, Not a recognized time zone');
  }
  return present;
}
