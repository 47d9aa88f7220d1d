import { Injectable } from '@nestjs/common';
import { isOwner, Role, type Actor } from '../../platform/actor';
import type { Transaction } from '../../platform/database/transaction.service';
import { Hooks } from '../../platform/hooks/hooks';
import type { ServerEvent } from '../../platform/events/server-event';
import { MustBeOwner } from '../../platform/errors/shared.errors';
import { AuditLog, differences } from '../audit';
import { ChannelAccess, DescriptionRenderer, GuestVisibilityService } from '../channels';
import { playgroundRemoved } from '../linkifiers';
import {
  ORGANIZATION_CHANNEL_SETTINGS,
  ORGANIZATION_GROUP_SETTINGS,
  OrganizationDirectory,
  type OrganizationGroupSetting,
  organizationSettingChanged,
  organizationSettingsChanged,
  type OrganizationSettings,
  settingWire,
} from '../organization-settings';
import {
  GroupDirectory,
  type GroupSettingChange,
  GroupSettingService,
  type GroupSettingValue,
  OrganizationPermissions,
  organizationPermissionsChanged,
  PermissionService,
  SystemGroupService,
} from '../user-groups';
import { AccountDirectory, ActorTransactions, languageName } from '../users';
import { InvalidLanguage } from './organization-settings.errors';

/** What to change: settings by their names inside, and group settings as `{new, old}`. */
export interface OrganizationChanges {
  readonly settings: Partial<OrganizationSettings>;
  readonly groupSettings: Partial<Record<OrganizationGroupSetting, GroupSettingChange>>;
}

/** Settings that take an owner, even to say again what they are. */
const OWNERS_ONLY: ReadonlySet<keyof OrganizationSettings | OrganizationGroupSetting> = new Set([
  'can_create_groups',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'create_multiuse_invite_group',
  'message_retention_days',
  'waiting_period_threshold',
]);

/** Changes the organization's settings; everything that obeys them sees the change at once. */
@Injectable()
export class OrganizationSettingsService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly organization: OrganizationDirectory,
    private readonly accounts: AccountDirectory,
    private readonly permissions: PermissionService,
    private readonly groupSettings: GroupSettingService,
    private readonly shown: OrganizationPermissions,
    private readonly systemGroups: SystemGroupService,
    private readonly channels: ChannelAccess,
    private readonly groups: GroupDirectory,
    private readonly guests: GuestVisibilityService,
    private readonly renderer: DescriptionRenderer,
    private readonly audit: AuditLog,
    hooks: Hooks,
  ) {
    hooks.on(playgroundRemoved, (tx, language) => this.forgetLanguage(tx, language));
  }

  /**
   * Applies all changes or none. A value equal to the current one changes nothing and emits nothing.
   * @throws InvalidLanguage, MustBeOwner, ApiError of group-setting values, `Invalid channel ID`
   */
  async update(caller: Actor, changes: OrganizationChanges): Promise<void> {
    const { default_language: language } = changes.settings;
    if (language !== undefined && languageName(language) === undefined) throw new InvalidLanguage(language);
    await this.transactions.runForAdministrator(caller, async (tx, actor) => {
      if (!isOwner(actor) && isForOwners(changes)) throw new MustBeOwner();
      for (const setting of ORGANIZATION_CHANNEL_SETTINGS) {
        const channelId = changes.settings[setting];
        if (channelId !== undefined && channelId !== -1) this.channels.forMetadata(actor, channelId);
      }
      const changedSettings = differences(this.organization.settings, changes.settings);
      await this.updateSettings(tx, changes.settings);
      const changedGroups = await this.updateGroupSettings(tx, changes.groupSettings);
      const changed = { ...changedSettings, ...changedGroups };
      if (Object.keys(changed).length === 0) return;
      await this.audit.record(tx, actor, 'organization.changed', {}, changed);
    });
  }

  private async updateSettings(tx: Transaction, settings: Partial<OrganizationSettings>): Promise<void> {
    for (const [setting, value] of entries(settings)) {
      const current = this.organization.settings[setting];
      if (JSON.stringify(current) === JSON.stringify(value)) continue;
      await this.organization.store(tx, setting, value);
      if (setting === 'waiting_period_threshold') {
        await this.systemGroups.updateFullMembers(tx, value as number);
      }
      const before = settingWire(setting, current);
      for (const [property, shown] of entries(settingWire(setting, value))) {
        if (JSON.stringify(before[property]) === JSON.stringify(shown)) continue;
        const event =
          property === 'description'
            ? this.descriptionChanged(value as string)
            : organizationSettingChanged(property, shown);
        tx.emit(event, this.accounts.active);
      }
    }
  }

  /** Code blocks without a language must not go on taking one that only the removed playground may have known. */
  private async forgetLanguage(tx: Transaction, language: string): Promise<void> {
    if (this.organization.settings.default_code_block_language !== language) return;
    await this.updateSettings(tx, { default_code_block_language: '' });
  }

  /** Clients show the HTML, which goes with the text. */
  private descriptionChanged(description: string): ServerEvent {
    const data = { description, rendered_description: this.renderer.render(description, null) };
    return organizationSettingsChanged({ property: 'default', data });
  }

  /** @returns what changed, as it was and as it is */
  private async updateGroupSettings(
    tx: Transaction,
    changes: OrganizationChanges['groupSettings'],
  ): Promise<Record<string, { readonly from: GroupSettingValue; readonly to: GroupSettingValue }>> {
    const recorded: Record<string, { from: GroupSettingValue; to: GroupSettingValue }> = {};
    for (const [setting, change] of entries(changes)) {
      const current = this.permissions.organizationGroupId(setting);
      const definition = ORGANIZATION_GROUP_SETTINGS[setting];
      const value = this.groupSettings.changed(setting, change, current, definition);
      if (value === undefined) continue;
      const from = this.groupSettings.toWire(current);
      recorded[setting] = { from, to: value };
      const before = this.shown.wireOf(setting, from);
      await this.organization.store(tx, setting, await this.groupSettings.store(tx, value, current));
      const changed = Object.entries(this.shown.wireOf(setting, value)).filter(
        ([name, each]) => JSON.stringify(before[name]) !== JSON.stringify(each),
      );
      tx.emit(
        organizationPermissionsChanged({ property: 'default', data: Object.fromEntries(changed) }),
        this.accounts.active,
      );
      if (setting === 'can_access_all_users_group') await this.emitGuestVisibility(tx, value);
    }
    return recorded;
  }

  /** The setting has two values: guests see everybody, or those whom they share something with. */
  private async emitGuestVisibility(tx: Transaction, value: GroupSettingValue): Promise<void> {
    const guests = this.accounts.active.without(this.accounts.members.ids()).ids();
    const isOpen = value === this.groups.systemGroupId('role:everyone');
    if (isOpen) await this.guests.emitSeeAll(tx, [...guests], Role.guest);
    else await this.guests.emitSeePartners(tx, [...guests]);
  }
}

function isForOwners({ settings, groupSettings }: OrganizationChanges): boolean {
  return [...entries(settings), ...entries(groupSettings)].some(([setting]) => OWNERS_ONLY.has(setting));
}

/** Entries of the properties that are given, with their types. */
function entries<T extends object>(record: T): [keyof T & string, Exclude<T[keyof T], undefined>][] {
  return Object.entries(record).filter(([, value]) => value !== undefined) as [
    keyof T & string,
    Exclude<T[keyof T], undefined>,
  ][];
}
