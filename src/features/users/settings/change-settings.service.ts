import { Injectable } from '@nestjs/common';
import { canonicalTimeZone } from './locale';
import { checkPersonalSettings, PersonalSettingsService } from './personal-settings.service';
import {
  EmailChangesDisabled,
  InvalidSetting,
  TargetsMissing,
  OnlyOwnSetting,
  type OwnSettingsChange,
  personalSettingUpdated,
  type Targets,
  UnknownTarget,
} from './settings.api';
import { type Actor, isAdministrator } from '../../../platform/actor';
import { requireOwnKey } from '../../../platform/http/access.guard';
import { chunksOf } from '../../../platform/collections';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { MustBeAdministrator } from '../../../platform/errors/shared.errors';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { AuditLog, differences } from '../../audit/audit.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { ActorTransactions } from '../access/actor-transactions.service';
import { AccountDirectory, type AccountRecord } from '../accounts/account.directory';
import type { Account } from '../accounts/account.entity';
import { personalSetting, type PersonalSettings } from '../accounts/personal-settings.api';
import { AddressNeedsProof, WrongPassword } from '../credentials/credentials.api';
import { PasswordService } from '../credentials/password.service';
import { AccountChanges } from '../records/account-changes.service';
import { groupMembersPort } from '../users.hooks';

/** The properties in a request other than settings, none of which can be changed for others. */
interface OwnAffairs {
  readonly settings: Partial<PersonalSettings>;
  readonly fullName?: string;
  readonly email?: string;
  readonly newPassword?: string;
  readonly timezone?: string;
  readonly emailVisibility?: number;
}

/** Settings about what people reveal of themselves, and which mail they receive; only the owner may change them. */
const FOR_OWNERS_ALONE: ReadonlySet<string> = new Set<keyof PersonalSettings>([
  'allow_private_data_export',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'presence_enabled',
  'send_private_typing_notifications',
  'send_read_receipts',
  'send_stream_typing_notifications',
]);

/** How many people are changed per transaction, so that other writes do not wait long. */
const BATCH = 50;

/** Changes the personal settings of other people, for administrators; bots have none. */
@Injectable()
export class OthersSettingsService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly accounts: AccountDirectory,
    private readonly changes: AccountChanges,
    private readonly settings: PersonalSettingsService,
    private readonly audit: AuditLog,
    private readonly hooks: Hooks,
  ) {}

  /**
   * Also changes deactivated people, in case they are reactivated.
   * @throws TargetsMissing, MustBeAdministrator, OnlyOwnSetting, InvalidSetting, UnknownTarget, and errors of groups;
   * nothing has changed then
   */
  async update(caller: Actor, targets: Targets, { settings, ...own }: OwnAffairs): Promise<void> {
    const { userIds, groupIds } = targets;
    if (userIds.length + groupIds.length === 0) throw new TargetsMissing();
    if (!isAdministrator(caller)) throw new MustBeAdministrator();
    checkForOthers(settings, own);
    checkPersonalSettings(settings);
    for (const some of chunksOf(this.people(targets), BATCH)) {
      await this.transactions.runForAdministrator(caller, async (tx, actor) => {
        for (const userId of some) await this.change(tx, actor, userId, settings, targets);
      });
    }
  }

  /** @throws UnknownTarget, and errors of groups */
  private people({ userIds, groupIds }: Targets): number[] {
    const unknown = userIds.find((id) => this.accounts.byId(id)?.isSystemBot !== false);
    if (unknown !== undefined) throw new UnknownTarget(unknown);
    const members = this.hooks.provider(groupMembersPort)?.membersOf(groupIds) ?? [];
    return [...new Set([...userIds, ...members])].filter((id) => !this.accounts.existing(id).isBot);
  }

  private async change(
    tx: Transaction,
    actor: Actor,
    userId: number,
    settings: Partial<PersonalSettings>,
    { isSparingEdited }: Targets,
  ): Promise<void> {
    const before = this.accounts.existing(userId);
    if (before.isDeleted || isInForce(before, settings)) return;
    const row = await this.changes.load(tx, userId);
    const edited = isSparingEdited ? this.settings.editedBy(row) : new Set();
    const wanted = Object.entries(settings).filter(([name]) => !edited.has(name));
    const changed = await this.settings.change(tx, row, Object.fromEntries(wanted), actor.userId);
    if (Object.keys(changed).length === 0) return;
    await this.changes.save(tx, row);
    if (userId === actor.userId) return;
    const details = differences(valuesOf(before, changed), changed);
    if (details) this.audit.record(tx, actor, 'user.settings_changed', { userId }, details);
  }
}

/** @throws OnlyOwnSetting */
function checkForOthers(settings: Partial<PersonalSettings>, own: Omit<OwnAffairs, 'settings'>): void {
  const { fullName, email, newPassword, timezone, emailVisibility } = own;
  const affairs = [fullName, email, newPassword, timezone, emailVisibility];
  const isPrivate = Object.keys(settings).some((name) => FOR_OWNERS_ALONE.has(name));
  if (isPrivate || affairs.some((each) => each !== undefined)) throw new OnlyOwnSetting();
}

/** Whether a person already has all of these settings. */
function isInForce(account: AccountRecord, settings: Partial<PersonalSettings>): boolean {
  const values: Readonly<Record<string, unknown>> = valuesOf(account, settings);
  return Object.entries(settings).every(([name, value]) => values[name] === value);
}

/** A person's current values of the given settings. */
function valuesOf({ settings }: AccountRecord, named: Partial<PersonalSettings>): Partial<PersonalSettings> {
  const names = Object.keys(named) as (keyof PersonalSettings)[];
  return Object.fromEntries(names.map((name) => [name, personalSetting(settings, name)]));
}

/** Changes the caller's own name, address, password and personal settings, all or none; or settings of others. */
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
    // Clients send the name along with other changes, which must not fail because names are fixed.
    const isNameFixed = nameFixed && !isAdministrator(actor);
    if (fullName !== undefined && fullName !== row.fullName && !isNameFixed) {
      await this.changes.rename(tx, row, fullName);
      this.audit.record(tx, actor, 'user.renamed', { userId: row.id });
    }
  }

  /** Changes the profile fields among the settings that others see. */
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

/** The canonical name under which a time zone is stored and emitted; an empty one means none. @throws InvalidSetting */
function presentTimeZone(name: string | undefined): string | undefined {
  if (!name) return name;
  const present = canonicalTimeZone(name);
  if (present === undefined) {
    throw new InvalidSetting('Invalid timezone: Value error, Not a recognized time zone');
  }
  return present;
}
