import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { UserAccess } from '../../users';
import type { NamedGroup } from '../groups/group.directory';
import type { GroupSettingChange } from '../groups/group-setting-value';
import { GroupStore } from '../groups/group-store.service';
import { checkGroupName } from './group-name';
import { UserGroupEventsService } from '../groups/user-group-events.service';
import { UserGroupRecords } from './user-group-records.service';
import { UserGroupSettingsService } from '../permissions/user-group-settings.service';
import {
  USER_GROUP_SETTING_NAMES,
  USER_GROUP_SETTINGS,
  type UserGroupSetting,
} from '../groups/user-group-settings';
import { UserGroupAccess } from '../permissions/user-group.access';
import { NoNewGroupData } from '../groups/user-groups.errors';

/** What to change of a group. */
export interface UserGroupChanges {
  readonly name?: string;
  readonly description?: string;
  /** Only false does something: it brings a deactivated group back. */
  readonly isDeactivated?: boolean;
  readonly settings: Readonly<Partial<Record<UserGroupSetting, GroupSettingChange>>>;
}

/** Changes properties of user groups, deactivated ones included, and brings those back (groups reference 6.5). */
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
      const group = this.access.forChange(this.users.current(actor), groupId, 'update');
      const described = await this.describe(tx, group, changes);
      const isBack = group.isDeactivated && isDeactivated === false;
      if (isBack) {
        await this.store.update(tx, groupId, { isDeactivated: false });
        this.events.reactivated(tx, this.records.record(group, { ...described, isDeactivated: false }));
      }
      const after = { ...group, isDeactivated: group.isDeactivated && !isBack };
      for (const setting of USER_GROUP_SETTING_NAMES) {
        const change = settings[setting];
        if (change) await this.changeSetting(tx, after, setting, change);
      }
    });
  }

  /** @returns name and description, where they are new */
  private async describe(
    tx: Transaction,
    group: NamedGroup,
    { name = group.name, description = group.description }: UserGroupChanges,
  ): Promise<{ name?: string; description?: string }> {
    const changed: { name?: string; description?: string } = {};
    if (name !== group.name) {
      checkGroupName(name);
      this.store.checkNameIsFree(name);
      changed.name = name;
    }
    if (description !== group.description) changed.description = description;
    for (const [property, value] of Object.entries(changed)) {
      await this.store.update(tx, group.id, { [property]: value });
      this.events.updated(tx, group, property, value);
    }
    return changed;
  }

  private async changeSetting(
    tx: Transaction,
    group: NamedGroup,
    setting: UserGroupSetting,
    change: GroupSettingChange,
  ): Promise<void> {
    const replaced = await this.settings.replace(tx, group, setting, change);
    if (!replaced) return;
    await this.store.update(tx, group.id, { [USER_GROUP_SETTINGS[setting].property]: replaced.groupId });
    this.events.updated(tx, group, setting, replaced.value);
  }
}
