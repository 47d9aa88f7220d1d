import { Injectable } from '@nestjs/common';
import { type ActivityChange, GroupSettingService } from './group-setting.service';
import { PermissionService } from './permission.service';
import {
  legacyPolicyWire,
  organizationPermissionsChanged,
  type OrganizationPermissionsWire,
} from './permissions.api';
import { recordOf } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Audience } from '../../../platform/events/audience';
import {
  ORGANIZATION_GROUP_SETTING_NAMES,
  type OrganizationGroupSetting,
  type SystemGroupName,
} from '../../organization-settings/organization-settings.module';
import type { UserGroupSettingValues } from '../groups/group-records.api';
import {
  type GroupSettingChange,
  type GroupSettingValue,
  USER_GROUP_SETTING_NAMES,
  USER_GROUP_SETTINGS,
  type UserGroupSetting,
  type UserGroupSettingDefinition,
} from '../groups/group-settings';
import { UserGroupEventsService } from '../groups/group-store.service';
import { GroupDirectory, type GroupRecord } from '../groups/group.directory';

/**
 * Emits permissions of individually selected people when such a person is deactivated or reactivated: values of
 * settings show only active people.
 */
@Injectable()
export class PermissionHoldersService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly permissions: PermissionService,
    private readonly settings: GroupSettingService,
    private readonly events: UserGroupEventsService,
  ) {}

  /** IDs of the anonymous groups that contain a person. */
  naming(userId: number): ReadonlySet<number> {
    const groups = this.groups.directGroupsOf(userId).filter(({ name }) => name === null);
    return new Set(groups.map(({ id }) => id));
  }

  /** Permissions of the organization and of user groups. */
  emitChanged(tx: Transaction, change: ActivityChange, audience: Audience): void {
    if (audience.size === 0) return;
    const naming = this.naming(change.userId);
    for (const setting of ORGANIZATION_GROUP_SETTING_NAMES) {
      const groupId = this.permissions.organizationGroupId(setting);
      if (!naming.has(groupId)) continue;
      const data = { [setting]: this.settings.toWire(groupId, change) };
      tx.emit(organizationPermissionsChanged({ property: 'default', data }), audience);
    }
    for (const group of this.groups.named()) {
      for (const setting of USER_GROUP_SETTING_NAMES) {
        const groupId = this.permissions.groupIdIn(group, setting);
        if (naming.has(groupId)) {
          this.events.updated(tx, group, setting, this.settings.toWire(groupId, change), audience);
        }
      }
    }
  }
}

/** Values of the organization's permissions, under the names that clients use. */
@Injectable()
export class OrganizationPermissions {
  constructor(
    private readonly permissions: PermissionService,
    private readonly groupSettings: GroupSettingService,
    private readonly groups: GroupDirectory,
  ) {}

  /** All permissions, and their legacy equivalents. */
  wire(): OrganizationPermissionsWire {
    const settings = ORGANIZATION_GROUP_SETTING_NAMES;
    const parts = settings.map((setting) => {
      const groupId = this.permissions.organizationGroupId(setting);
      return this.wireOf(setting, this.groupSettings.toWire(groupId));
    });
    return Object.assign({}, ...parts) as OrganizationPermissionsWire;
  }

  /** One permission with a given value, stored or not, and its legacy equivalent. */
  wireOf(setting: OrganizationGroupSetting, value: GroupSettingValue): Record<string, GroupSettingValue> {
    const group = typeof value === 'number' ? this.groups.namedById(value) : undefined;
    const systemGroup = group?.isSystem ? (group.name as SystemGroupName) : null;
    return { [setting]: value, ...legacyPolicyWire(setting, systemGroup) };
  }
}

/** IDs of the groups behind the permissions of a group, by the group's properties. */
type PermissionGroups = Record<UserGroupSettingDefinition['property'], number>;

/** Reads, validates and stores the permissions of user groups. */
@Injectable()
export class UserGroupSettingsService {
  constructor(
    private readonly groupSettings: GroupSettingService,
    private readonly permissions: PermissionService,
  ) {}

  /** The values as sent to clients. */
  valuesOf(group: GroupRecord): UserGroupSettingValues {
    return recordOf(USER_GROUP_SETTING_NAMES, (setting) =>
      this.groupSettings.toWire(this.permissions.groupIdIn(group, setting)),
    );
  }

  /**
   * Completes the chosen permissions of a new group with defaults.
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

  /** Stores validated values for a new group, with new anonymous groups. */
  async store(tx: Transaction, values: UserGroupSettingValues): Promise<PermissionGroups> {
    const stored = {} as PermissionGroups;
    for (const setting of USER_GROUP_SETTING_NAMES) {
      stored[USER_GROUP_SETTINGS[setting].property] = await this.groupSettings.store(tx, values[setting]);
    }
    return stored;
  }

  /**
   * Validates and stores a `{new, old}` change.
   * @returns the previous value, the new one and the group that represents it; undefined if nothing changes
   * @throws OldValueMismatch and related errors
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
