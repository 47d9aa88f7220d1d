import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { AuditLog, differences } from '../../audit/audit.module';
import { UserAccess } from '../../users/users.module';
import type { NamedGroup } from '../groups/group.directory';
import type { GroupSettingChange, GroupSettingValue } from '../groups/group-setting-value';
import { GroupStore } from '../groups/group-store.service';
import { UserGroupEventsService } from '../groups/user-group-events.service';
import { UserGroupRecords } from './user-group-records.service';
import { UserGroupSettingsService } from '../permissions/user-group-settings.service';
import {
  USER_GROUP_SETTING_NAMES,
  USER_GROUP_SETTINGS,
  type UserGroupSetting,
} from '../groups/user-group-settings';
import { UserGroupAccess } from '../permissions/user-group.access';
import { GroupUsageService } from '../permissions/group-usage.service';
import { GroupInUse, NoNewGroupData } from '../groups/group-records.api';

/** What to change of a group. */
export interface UserGroupChanges {
  readonly name?: string;
  readonly description?: string;
  /** Only false does something: it brings a deactivated group back. */
  readonly isDeactivated?: boolean;
  readonly settings: Readonly<Partial<Record<UserGroupSetting, GroupSettingChange>>>;
}

/** Changes user groups, takes them out of use and brings them back. */
@Injectable()
export class UpdateUserGroupService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly users: UserAccess,
    private readonly access: UserGroupAccess,
    private readonly settings: UserGroupSettingsService,
    private readonly store: GroupStore,
    private readonly events: UserGroupEventsService,
    private readonly records: UserGroupRecords,
    private readonly usage: GroupUsageService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Makes all changes or, on any error, none. What equals the present state changes nothing and emits nothing.
   * @throws NoNewGroupData, InvalidUserGroup, InsufficientPermission, errors of names and group-setting values
   */
  async update(actor: Actor, groupId: number, changes: UserGroupChanges): Promise<void> {
    const { name, description, isDeactivated, settings } = changes;
    const given = [name, description, isDeactivated, ...Object.values(settings)];
    if (given.every((value) => value === undefined)) throw new NoNewGroupData();
    await this.transactions.runExclusive(async (tx) => {
      const current = this.users.current(actor);
      const group = this.access.forChange(current, groupId, 'update');
      const described = await this.describe(tx, group, changes);
      const isBack = group.isDeactivated && isDeactivated === false;
      if (isBack) {
        await this.store.update(tx, groupId, { isDeactivated: false });
        this.audit.record(tx, current, 'group.reactivated', { id: groupId });
        this.events.reactivated(tx, this.records.record(group, { ...described, isDeactivated: false }));
      }
      const after = { ...group, isDeactivated: group.isDeactivated && !isBack };
      const changed: Record<string, unknown> = { ...differences(group, described) };
      for (const setting of USER_GROUP_SETTING_NAMES) {
        const change = settings[setting];
        const replaced = change && (await this.changeSetting(tx, after, setting, change));
        if (replaced) changed[setting] = replaced;
      }
      if (Object.keys(changed).length === 0) return;
      this.audit.record(tx, current, 'group.changed', { id: groupId }, changed);
    });
  }

  /** Groups on which nothing rests; they keep their members and their names. @throws InvalidUserGroup, UserGroupDeactivated, InsufficientPermission, GroupInUse */
  async deactivate(actor: Actor, groupId: number): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      const current = this.users.current(actor);
      const group = this.access.forChangeWhileActive(current, groupId, 'deactivate');
      const objections = this.usage.objectionsTo(group);
      if (objections.length > 0) throw new GroupInUse(objections);
      await this.store.update(tx, groupId, { isDeactivated: true });
      this.audit.record(tx, current, 'group.deactivated', { id: groupId });
      this.events.deactivated(tx, group);
    });
  }

  /** @returns name and description, where they are new */
  private async describe(
    tx: Transaction,
    group: NamedGroup,
    { name = group.name, description = group.description }: UserGroupChanges,
  ): Promise<{ name?: string; description?: string }> {
    const changed: { name?: string; description?: string } = {};
    const checked = name === group.name ? name : this.store.checkedName(name);
    if (checked !== group.name) {
      this.store.checkNameIsFree(checked);
      changed.name = checked;
    }
    if (description !== group.description) changed.description = description;
    for (const [property, value] of Object.entries(changed)) {
      await this.store.update(tx, group.id, { [property]: value });
      this.events.updated(tx, group, property, value);
    }
    return changed;
  }

  /** @returns the value as it was and as it is, where that is another one */
  private async changeSetting(
    tx: Transaction,
    group: NamedGroup,
    setting: UserGroupSetting,
    change: GroupSettingChange,
  ): Promise<{ readonly from: GroupSettingValue; readonly to: GroupSettingValue } | undefined> {
    const replaced = await this.settings.replace(tx, group, setting, change);
    if (!replaced) return undefined;
    const { from, to, groupId } = replaced;
    await this.store.update(tx, group.id, { [USER_GROUP_SETTINGS[setting].property]: groupId });
    this.events.updated(tx, group, setting, to);
    return { from, to };
  }
}
