import { type Targets, NobodyTargeted, OnlyOwnSetting, UnknownTarget } from './settings.api';
import { Injectable } from '@nestjs/common';
import { isAdministrator, type Actor } from '../../../platform/actor';
import { chunksOf } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import { MustBeAdministrator } from '../../../platform/errors/shared.errors';
import { Hooks } from '../../../platform/hooks/hooks';
import { AuditLog, differences } from '../../audit/audit.module';
import { ActorTransactions } from '../access/actor-transactions.service';
import { AccountDirectory, type AccountRecord } from '../accounts/account.directory';
import { personalSetting, type PersonalSettings } from '../accounts/personal-settings.api';
import { AccountChanges } from '../records/account-changes.service';
import { groupMembersPort } from '../users.hooks';
import { checkPersonalSettings } from './personal-settings-checks';
import { PersonalSettingsService } from './personal-settings.service';

/** What the request says beside settings: of all this, nothing can be changed for others. */
interface OwnAffairs {
  readonly settings: Partial<PersonalSettings>;
  readonly fullName?: string;
  readonly email?: string;
  readonly newPassword?: string;
  readonly timezone?: string;
  readonly emailVisibility?: number;
}

/** What people show of themselves, and which mail they get, is for them alone to decide. */
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

/** Changes personal settings of others, for administrators; bots have none. */
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
   * Who is deactivated is changed as well, for the case that they come back.
   * @throws NobodyTargeted, MustBeAdministrator, OnlyOwnSetting, InvalidSetting, UnknownTarget, and what is wrong with
   * groups; nothing has changed then
   */
  async update(caller: Actor, targets: Targets, { settings, ...own }: OwnAffairs): Promise<void> {
    const { userIds, groupIds } = targets;
    if (userIds.length + groupIds.length === 0) throw new NobodyTargeted();
    if (!isAdministrator(caller)) throw new MustBeAdministrator();
    checkForOthers(settings, own);
    checkPersonalSettings(settings);
    for (const some of chunksOf(this.people(targets), BATCH)) {
      await this.transactions.runForAdministrator(caller, async (tx, actor) => {
        for (const userId of some) await this.change(tx, actor, userId, settings, targets);
      });
    }
  }

  /** @throws UnknownTarget, and what is wrong with groups */
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

/** Whether a person has all of these settings already. */
function isInForce(account: AccountRecord, settings: Partial<PersonalSettings>): boolean {
  const values: Readonly<Record<string, unknown>> = valuesOf(account, settings);
  return Object.entries(settings).every(([name, value]) => values[name] === value);
}

/** What a person has of the settings that are named. */
function valuesOf({ settings }: AccountRecord, named: Partial<PersonalSettings>): Partial<PersonalSettings> {
  const names = Object.keys(named) as (keyof PersonalSettings)[];
  return Object.fromEntries(names.map((name) => [name, personalSetting(settings, name)]));
}
