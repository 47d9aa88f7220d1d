import { Injectable } from '@nestjs/common';
import { recordOf } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { GroupRecord } from '../groups/group.directory';
import type { GroupSettingChange, GroupSettingValue } from '../groups/group-setting-value';
import { GroupSettingService } from './group-setting.service';
import { PermissionService } from './permission.service';
import {
  USER_GROUP_SETTING_NAMES,
  USER_GROUP_SETTINGS,
  type UserGroupSetting,
  type UserGroupSettingDefinition,
} from '../groups/user-group-settings';
import type { UserGroupSettingValues } from '../groups/group-records.api';

/** IDs of the groups behind the permissions of a group, by the group's properties. */
type PermissionGroups = Record<UserGroupSettingDefinition['property'], number>;

/** Reads, checks and stores the permissions of user groups. */
@Injectable()
export class UserGroupSettingsService {
  constructor(
    private readonly groupSettings: GroupSettingService,
    private readonly permissions: PermissionService,
  ) {}

  /** The values as the interface shows them. */
  valuesOf(group: GroupRecord): UserGroupSettingValues {
    return recordOf(USER_GROUP_SETTING_NAMES, (setting) =>
      this.groupSettings.toWire(this.permissions.groupIdIn(group, setting)),
    );
  }

  /**
   * Completes what was chosen for a new group by the defaults.
   * @throws errors of group-setting values
   */
  complete(
    chosen: Readonly<Partial<Record<UserGroupSetting, GroupSettingValue>>>,
    creatorId: number,
  ): UserGroupSettingValues {
    return recordOf(USER_GROUP_SETTING_NAMES, (setting) =>
      this.groupSettings.starting(setting, chosen[setting], USER_GROUP_SETTINGS[setting], creatorId),
    );
  }

  /** Stores checked values for a new group, with new anonymous groups. */
  async store(tx: Transaction, values: UserGroupSettingValues): Promise<PermissionGroups> {
    const stored = {} as PermissionGroups;
    for (const setting of USER_GROUP_SETTING_NAMES) {
      stored[USER_GROUP_SETTINGS[setting].property] = await this.groupSettings.store(tx, values[setting]);
    }
    return stored;
  }

  /**
   * Checks and stores a `{new, old}` change.
   * @returns the value as it was, the new one and the group that stands for it, or undefined when nothing changes
   * @throws OldValueMismatch and its neighbors
   */
  async replace(
    tx: Transaction,
    group: GroupRecord,
    setting: UserGroupSetting,
    change: GroupSettingChange,
  ): Promise<{ from: GroupSettingValue; to: GroupSettingValue; groupId: number } | undefined> {
    const currentId = this.permissions.groupIdIn(group, setting);
    const to = this.groupSettings.changed(setting, change, currentId, USER_GROUP_SETTINGS[setting]);
    if (to === undefined) return undefined;
    const from = this.groupSettings.toWire(currentId);
    return { from, to, groupId: await this.groupSettings.store(tx, to, currentId) };
  }
}
