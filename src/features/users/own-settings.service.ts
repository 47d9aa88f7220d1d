import { Injectable } from '@nestjs/common';
import { isAdministrator, type Actor } from '../../platform/actor';
import { Database } from '../../platform/database/database.service';
import { TransactionService, type Transaction } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { PasswordAttempts } from '../../platform/secrets/password-attempts';
import { isStrongPassword } from '../../platform/secrets/password-strength';
import { Passwords } from '../../platform/secrets/passwords';
import { OrganizationDirectory } from '../organization/organization.directory';
import { Account } from './account.entity';
import { AccountChanges } from './account-changes.service';
import { AccountRules } from './account-rules.service';
import {
  EmailChangesDisabled,
  InvalidSetting,
  NameChangesDisabled,
  NewPasswordTooWeak,
  WrongPassword,
} from './own-settings.errors';
import { PERSONAL_SETTINGS, type PersonalSettings } from './personal-settings.wire';
import { languageName } from './profile/language';
import { isTimezone } from './profile/timezone';
import { personalSettingUpdated } from './users.events';

/** What somebody wants to change about themselves. */
export interface OwnSettingsChange {
  readonly fullName?: string;
  readonly email?: string;
  /** Needed with a new password only. */
  readonly oldPassword: string;
  readonly newPassword?: string;
  readonly timezone?: string;
  readonly emailVisibility?: number;
  readonly settings: Partial<PersonalSettings>;
}

/** A password change whose slow part is done. */
interface CheckedPassword {
  readonly oldHash: string;
  readonly newHash: string;
}

/** Changes one's own name, address, password and personal settings: all of what is asked, or nothing. */
@Injectable()
export class OwnSettingsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly database: Database,
    private readonly organization: OrganizationDirectory,
    private readonly rules: AccountRules,
    private readonly changes: AccountChanges,
    private readonly passwords: Passwords,
    private readonly attempts: PasswordAttempts,
  ) {}

  /**
   * Values equal to the current ones change nothing and emit nothing.
   * @throws ApiError for the first thing that may not be, see own-settings.errors.ts and AccountChanges
   */
  async update(actor: Actor, change: OwnSettingsChange): Promise<void> {
    checkValues(change);
    const password = await this.checkPassword(actor, change);
    await this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, actor.userId);
      if (password) replacePassword(row, password);
      await this.updateIdentity(tx, actor, row, change);
      await this.updateSettings(tx, row, change);
      await this.changes.save(tx, row);
    });
  }

  /** Verifies and hashes before the transaction, as both are slow on purpose. */
  private async checkPassword(
    actor: Actor,
    { oldPassword, newPassword }: OwnSettingsChange,
  ): Promise<CheckedPassword | undefined> {
    if (newPassword === undefined) return undefined;
    const { emailKey, passwordHash } = await this.database.read
      .repository(Account)
      .findOneByOrFail({ id: actor.userId });
    this.attempts.begin(emailKey);
    if (!passwordHash || !(await this.passwords.verify(passwordHash, oldPassword))) throw new WrongPassword();
    this.attempts.succeeded(emailKey);
    if (!isStrongPassword(newPassword)) throw new NewPasswordTooWeak();
    return { oldHash: passwordHash, newHash: await this.passwords.hash(newPassword) };
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
      this.rules.requireUsableEmail(email);
      this.rules.requireAllowedDomain(email);
      await this.changes.changeEmail(tx, row, email);
    }
    if (fullName !== undefined && fullName !== row.fullName) {
      if (nameFixed && !isAdministrator(actor)) throw new NameChangesDisabled();
      await this.changes.rename(tx, row, fullName);
    }
  }

  private async updateSettings(
    tx: Transaction,
    row: Account,
    { settings, timezone, emailVisibility }: OwnSettingsChange,
  ): Promise<void> {
    const own = Audience.of([row.id]);
    const tellOwner = (property: string, value: unknown, more: { language_name?: string } = {}) =>
      tx.emit(personalSettingUpdated({ property, value, ...more }), own);
    const chosen = JSON.parse(row.settings) as Partial<PersonalSettings>;
    for (const [name, value] of Object.entries(settings)) {
      const setting = name as keyof PersonalSettings;
      if ((chosen[setting] ?? PERSONAL_SETTINGS[setting].initial) === value) continue;
      Object.assign(chosen, { [setting]: value });
      const isLanguage = setting === 'default_language';
      tellOwner(setting, value, isLanguage ? { language_name: languageName(String(value)) } : {});
    }
    row.settings = JSON.stringify(chosen);
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

/** Checks what needs no table. @throws InvalidSetting */
function checkValues({ timezone, settings }: OwnSettingsChange): void {
  const { default_language: language, notification_sound: sound } = settings;
  if (language !== undefined && languageName(language) === undefined) {
    throw new InvalidSetting('Invalid default_language');
  }
  if (sound !== undefined && !/^[a-z0-9_-]+$/.test(sound)) {
    throw new InvalidSetting(`Invalid notification sound '${sound}'`);
  }
  if (timezone && !isTimezone(timezone)) {
    throw new InvalidSetting('Invalid timezone: Value error, Not a recognized time zone');
  }
}

/** Of two changes at the same instant, the second finds that the password it verified is no longer it. */
function replacePassword(row: Account, { oldHash, newHash }: CheckedPassword): void {
  if (row.passwordHash !== oldHash) throw new WrongPassword();
  row.passwordHash = newHash;
}
