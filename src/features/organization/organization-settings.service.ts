import { Injectable } from '@nestjs/common';
import { type Actor, isOwner, Role } from '../../platform/actor';
import type { Transaction } from '../../platform/database/transaction.service';
import { Hooks } from '../../platform/hooks/hooks';
import type { ServerEvent } from '../../platform/events/server-event';
import { MustBeOwner } from '../../platform/errors/shared.errors';
import { AuditLog, differences } from '../audit/audit.module';
import {
  ChannelAccess,
  type ChannelChanged,
  channelChanged,
  type ChannelRecord,
  DescriptionRenderer,
  GuestVisibilityService,
  InvalidChannelId,
} from '../channels/channels.module';
import { playgroundRemoved } from '../linkifiers/linkifiers.module';
import {
  authenticationMethodsWire,
  ORGANIZATION_CHANNEL_SETTINGS,
  ORGANIZATION_GROUP_SETTINGS,
  OrganizationDirectory,
  type OrganizationGroupSetting,
  organizationSettingChanged,
  type OrganizationSettings,
  organizationSettingsChanged,
  settingWire,
} from '../organization-settings/organization-settings.module';
import {
  GroupDirectory,
  GroupSettingService,
  type GroupSettingValue,
  OrganizationPermissions,
  organizationPermissionsChanged,
  PermissionService,
  SystemGroupService,
} from '../user-groups/user-groups.module';
import { AccountDirectory, ActorTransactions } from '../users/users.module';
import { checkedSettings } from './organization-changes';
import {
  type OrganizationChanges,
  isAlwaysAnswered,
  ModerationChannelMustBePrivate,
  MustBeDemoOrganization,
  type UpdatedSettingsWire,
  updatedSettingWire,
} from './organization-settings.api';

/** The previous and the new value of a permission. */
interface GroupSettingDifference {
  readonly from: GroupSettingValue;
  readonly to: GroupSettingValue;
}

/** The value of settings that name no channel. */
const NO_CHANNEL = -1;

/** Changes the organization's settings; changes take effect immediately. */
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
    hooks.on(channelChanged, (_, change) => this.keepPrivate(change));
  }

  /**
   * Applies all changes or none. A value equal to the current one changes nothing and emits nothing.
   * @returns what changed
   * @throws InvalidLanguage, MustBeOwner, ApiError of group-setting values, InvalidChannelId,
   * ModerationChannelMustBePrivate, MustBeDemoOrganization
   */
  update(caller: Actor, changes: OrganizationChanges): Promise<UpdatedSettingsWire> {
    return this.transactions.runForAdministrator(caller, async (tx, actor) => {
      const settings = checkedSettings(actor, changes, this.organization.signInMethods);
      const changedSettings = differences(this.organization.settings, settings);
      const updated = await this.updateSettings(tx, settings);
      const changedGroups = await this.updateGroupSettings(tx, changes.groupSettings);
      this.checkChannels(actor, settings);
      if (changes.isMoving) throw isOwner(actor) ? new MustBeDemoOrganization() : new MustBeOwner();
      const changed = { ...changedSettings, ...changedGroups };
      if (Object.keys(changed).length > 0) {
        this.audit.record(tx, actor, 'organization.changed', {}, changed);
      }
      const groups = entries(changedGroups).map(([setting, { to }]) => [setting, to]);
      return { ...updated, ...(Object.fromEntries(groups) as UpdatedSettingsWire) };
    });
  }

  /** @throws InvalidChannelId, ModerationChannelMustBePrivate */
  private checkChannels(actor: Actor, settings: Partial<OrganizationSettings>): void {
    for (const setting of ORGANIZATION_CHANNEL_SETTINGS) {
      const channelId = settings[setting] ?? NO_CHANNEL;
      if (channelId === NO_CHANNEL) continue;
      const channel = this.channels.forMetadata(actor, channelId);
      if (channel.isArchived) throw new InvalidChannelId();
      if (setting === 'moderation_request_channel_id') requirePrivate(channel);
    }
  }

  /** @returns what changed, as in the response */
  private async updateSettings(
    tx: Transaction,
    settings: Partial<OrganizationSettings>,
  ): Promise<UpdatedSettingsWire> {
    const updated: UpdatedSettingsWire[] = [];
    for (const [setting, value] of entries(settings)) {
      const current = this.organization.settings[setting];
      const isSame = JSON.stringify(current) === JSON.stringify(value);
      if (!isSame || isAlwaysAnswered(setting)) updated.push(updatedSettingWire(setting, value));
      if (isSame && setting !== 'organization_type') continue;
      await this.organization.store(tx, setting, value);
      if (setting === 'waiting_period_threshold') {
        await this.systemGroups.updateFullMembers(tx, value as number);
      }
      for (const event of this.eventsOf(setting, current, value)) tx.emit(event, this.accounts.active);
    }
    return Object.assign({}, ...updated) as UpdatedSettingsWire;
  }

  private eventsOf<Name extends keyof OrganizationSettings>(
    setting: Name,
    before: OrganizationSettings[Name],
    value: OrganizationSettings[Name],
  ): ServerEvent[] {
    if (setting === 'description') return [this.descriptionChanged(value as string)];
    if (setting === 'authentication_methods')
      return [methodsChanged(value as Readonly<Record<string, boolean>>)];
    const shownBefore = settingWire(setting, before);
    const shown = entries(settingWire(setting, value)).filter(
      ([property, each]) =>
        property === 'org_type' || JSON.stringify(shownBefore[property]) !== JSON.stringify(each),
    );
    return organizationSettingChanged(Object.fromEntries(shown));
  }

  /** @throws ModerationChannelMustBePrivate */
  private keepPrivate({ after: { channel } }: ChannelChanged): void {
    const { moderation_request_channel_id: channelId } = this.organization.settings;
    if (channel.id === channelId) requirePrivate(channel);
  }

  /** Code blocks must not keep a default language that only the removed playground may have supported. */
  private async forgetLanguage(tx: Transaction, language: string): Promise<void> {
    if (this.organization.settings.default_code_block_language !== language) return;
    await this.updateSettings(tx, { default_code_block_language: '' });
  }

  /** Clients display the HTML, which is sent along with the text. */
  private descriptionChanged(description: string): ServerEvent {
    const data = { description, rendered_description: this.renderer.render(description, null) };
    return organizationSettingsChanged({ property: 'default', data });
  }

  /** @returns the previous and the new values */
  private async updateGroupSettings(
    tx: Transaction,
    changes: OrganizationChanges['groupSettings'],
  ): Promise<Partial<Record<OrganizationGroupSetting, GroupSettingDifference>>> {
    const recorded: Partial<Record<OrganizationGroupSetting, GroupSettingDifference>> = {};
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

  /** The setting has two values: guests see everyone, or only people with whom they share something. */
  private async emitGuestVisibility(tx: Transaction, value: GroupSettingValue): Promise<void> {
    const guests = this.accounts.active.without(this.accounts.members.ids()).ids();
    const isOpen = value === this.groups.systemGroupId('role:everyone');
    if (isOpen) await this.guests.emitSeeAll(tx, [...guests], Role.guest);
    else await this.guests.emitSeePartners(tx, [...guests]);
  }
}

/** @throws ModerationChannelMustBePrivate */
function requirePrivate({ isPrivate }: ChannelRecord): void {
  if (!isPrivate) throw new ModerationChannelMustBePrivate();
}

function methodsChanged(methods: Readonly<Record<string, boolean>>): ServerEvent {
  const data = { authentication_methods: authenticationMethodsWire(methods) };
  return organizationSettingsChanged({ property: 'default', data });
}

/** Entries of the defined properties, with their types. */
function entries<T extends object>(record: T): [keyof T & string, Exclude<T[keyof T], undefined>][] {
  return Object.entries(record).filter(([, value]) => value !== undefined) as [
    keyof T & string,
    Exclude<T[keyof T], undefined>,
  ][];
}
